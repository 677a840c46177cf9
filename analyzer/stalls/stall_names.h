// Names for people of the states that warps are in, where a session has CUPTI's keys. Tables and
// sentences share them, so that a reader finds in the one what the other speaks of.
#pragma once

#include <string>

namespace ridgepoint {

// "Long scoreboard" for "long_scoreboard"; unknown reasons become words.
std::string stall_label(const std::string& reason);
// The same within a sentence: "long scoreboard", "LG throttle".
std::string stall_words(const std::string& reason);
// What a warp in that state waits for, in one sentence; empty for unknown reasons.
std::string stall_explanation(const std::string& reason);

}  // namespace ridgepoint
