// A series in one line of a terminal.
#pragma once

#include <string>
#include <vector>

namespace ridgepoint {

// One block character a value, higher from `bottom` to `top`; a blank for NaN.
std::string sparkline(const std::vector<double>& values, double bottom, double top);

}  // namespace ridgepoint
