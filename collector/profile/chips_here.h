// The chips of this machine's GPUs, before or after the program runs.
//
// Not within it, for a timeline: CUPTI loads a profiler for this question, and a program that ends
// meanwhile crashes in it (CUDA 13.0).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analyzer/session/session.h"

namespace ridgepoint::collector {

struct ChipHere {
  std::string chip;    // CUPTI's name; empty when CUPTI does not say
  std::string device;  // "NVIDIA H200"
};

// In the order of CUDA's numbers. Asked for in a child process, so that no driver stays in this
// one. Empty when there is no driver, no GPU or no CUPTI, or none answers in time. `meanwhile` is
// called, when it is there, while the child waits for the driver.
std::vector<ChipHere> chips_here(const std::function<void()>& meanwhile = {});

// Gives devices without a chip the one of their name. Asks only where there are any.
void name_chips(std::vector<Session*> sessions);

}  // namespace ridgepoint::collector
