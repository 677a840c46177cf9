// Numbers as people read them.
#pragma once

#include <cstdint>
#include <string>

namespace ridgepoint {

// "4096.5" gives "4,096.5": digits in front of the point in groups of three. Digits alone, no sign.
std::string grouped_digits(std::string digits);
// A count in a sentence: 65712 gives "65,712".
std::string grouped_count(std::int64_t count);

}  // namespace ridgepoint
