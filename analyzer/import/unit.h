// Units as Nsight Compute spells them ("Gbyte/s", "cycle/nsecond", "Kbyte/block", "%"), and the
// factor to the unit that CUPTI gives the counter in: bytes, nanoseconds, hertz, rates a second,
// percent. Prefixes are decimal there: a Kbyte is 1,000 bytes.
#pragma once

#include <string_view>

namespace ridgepoint::importing {

struct UnitScale {
  double factor = 1;
  bool known = true;  // false: nothing is known of the unit, the value stays as printed
};

UnitScale unit_scale(std::string_view unit);

}  // namespace ridgepoint::importing
