// What a user most likely meant by a word that is none of those known.
#pragma once

#include <string>
#include <vector>

namespace ridgepoint {

// The word of `known` that was most likely meant by `typed`: it begins with it, or at most two
// letters are wrong, missing, swapped or too many. Empty when none is near.
std::string nearest_word(const std::string& typed, const std::vector<std::string>& known);

// "did you mean WORD? " for such a word, to put before the rest of a hint; empty when none is near.
std::string did_you_mean(const std::string& typed, const std::vector<std::string>& known);

}  // namespace ridgepoint
