// Finding and opening libcupti.
#pragma once

#include <string>
#include <vector>

#include "analyzer/core/error.h"

namespace ridgepoint::collector {

struct CuptiApi;

// Where libcupti may be, best first: $RIDGEPOINT_CUPTI alone when it is set; else a copy that the
// process has already loaded, since two in one process disturb each other; then beside the CUDA
// toolkits that CUDA_PATH and CUDA_HOME name, then /usr/local/cuda, then wherever the dynamic
// linker looks.
std::vector<std::string> cupti_candidates();

// Opens the first candidate that has every function this program calls. The library stays loaded
// until the process ends: CUPTI leaves hooks in the driver, and unloading it under them crashes.
Result<const CuptiApi*> load_cupti(const std::vector<std::string>& candidates);

// "13.0 (130001)", from the library itself.
std::string cupti_version_text(const CuptiApi& api);

}  // namespace ridgepoint::collector
