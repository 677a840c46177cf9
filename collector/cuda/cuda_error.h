// CUDA runtime errors as values.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "analyzer/core/error.h"

namespace ridgepoint::collector {

tl::unexpected<Error> cuda_failure(cudaError_t code, const std::string& what);
Status cuda_status(cudaError_t code, const std::string& what);

}  // namespace ridgepoint::collector
