// Numbers as people read them.
#pragma once

#include <string>

namespace ridgepoint {

// "4096.5" gives "4,096.5": digits in front of the point in groups of three. Digits alone, no sign.
std::string grouped_digits(std::string digits);

}  // namespace ridgepoint
