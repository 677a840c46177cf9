// Options of NVIDIA's profilers that people type out of habit, and what does the same here.
#pragma once

#include <string>

namespace ridgepoint::cli {

// What `ridgepoint profile` has for an option of ncu or nsys, as in "--kernel-name" or "-f"; empty
// for all others.
std::string equivalent_of(const std::string& option);

}  // namespace ridgepoint::cli
