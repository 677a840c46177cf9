// A chip by a name that none has, wherever a command takes one.
#pragma once

#include <string>

#include "analyzer/core/error.h"

namespace ridgepoint::cli {

// Whether some counter map lists the chip; also true where the maps cannot be read, which is a
// fault of its own.
bool has_counters(const std::string& chip);

// `what` was being done. The hint names the chip of a product ("H100 has the chip GH100") or the
// nearest name, and where the chips are listed. `chip` is in capitals.
Error unknown_chip(const std::string& what, const std::string& chip);

}  // namespace ridgepoint::cli
