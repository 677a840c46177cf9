// CUPTI's name of a device's chip, by which counters are chosen.
#pragma once

#include <string>

#include "analyzer/core/error.h"

namespace ridgepoint::collector {

struct CuptiApi;

// "GH100", never empty.
Result<std::string> chip_name(const CuptiApi& api, int device);

}  // namespace ridgepoint::collector
