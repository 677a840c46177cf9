// Where an analysis comes from and how it was measured: what every report says before any number.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

// "measured on NVIDIA H200 on 2026-11-29 17:40 UTC", "recording made on a real NVIDIA H200 on
// 2026-11-29", "imported ...", "predicted ...: nothing was measured".
std::string provenance_line(const Analysis& analysis);
// That, and of what: the attention problem, or the command that was run.
std::string session_line(const Analysis& analysis);
// "How it was measured", or of a prediction what it assumes.
std::string how_title(const Analysis& analysis);
// Name and value: device, driver, clocks, replay, caches, repeats, version, command line. What is
// unknown is left out.
std::vector<std::pair<std::string, std::string>> how_measured(const Analysis& analysis);

}  // namespace ridgepoint
