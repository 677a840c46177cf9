// The chips of this machine's GPUs, before the program runs.
#pragma once

#include <string>
#include <vector>

namespace ridgepoint::collector {

// CUPTI's names, in the order of CUDA's numbers. Asked for in a child process, so that no driver
// stays in this one. Empty when there is no driver, no GPU or no CUPTI, or none answers in time.
std::vector<std::string> chips_here();

}  // namespace ridgepoint::collector
