// CUPTI's result codes as errors that say what to do.
#pragma once

#include <string>

#include "analyzer/core/error.h"

namespace ridgepoint::collector {

struct CuptiApi;

// `code` is a CUptiResult other than CUPTI_SUCCESS.
tl::unexpected<Error> cupti_failure(const CuptiApi& api, int code, const std::string& what);

// Success, or the failure above.
Status cupti_status(const CuptiApi& api, int code, const std::string& what);

}  // namespace ridgepoint::collector
