// Values that no device, launch or counter can have: a file that holds one was damaged or forged,
// and what follows from it would be printed as if it were measured.
#pragma once

#include <string>

#include "analyzer/session/session.h"

namespace ridgepoint {

// True of a value that a counter, size or rate can have: finite, not negative, and small enough for
// sums and products to stay finite.
bool possible_value(double value);

// Names the first impossible value; empty when there is none.
std::string value_fault(const Session& session);

}  // namespace ridgepoint
