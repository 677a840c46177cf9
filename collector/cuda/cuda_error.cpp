#include "collector/cuda/cuda_error.h"

#include <fmt/format.h>

#include "collector/cuda/driver_version.h"

namespace ridgepoint::collector {
namespace {

const char* advice(cudaError_t code) {
  switch (code) {
    case cudaErrorInsufficientDriver:
      return "install an NVIDIA driver for CUDA 13, or look at a recording: ridgepoint demo";
    case cudaErrorNoDevice:
      return "measure on a machine with an NVIDIA GPU, or look at a recording: ridgepoint demo";
    case cudaErrorInvalidDevice:
      return "nvidia-smi -L lists the devices; numbers start at 0";
    case cudaErrorMemoryAllocation:
      return "take a smaller problem, or free memory on the GPU (nvidia-smi shows who holds it)";
    case cudaErrorNoKernelImageForDevice:
      return "this build has no code for the GPU: set CMAKE_CUDA_ARCHITECTURES and build again";
    default:
      return "";
  }
}

// What the runtime says where there is no driver at all: its version is 0 then, which is too low.
bool lacks_driver(cudaError_t code) {
  int version = 0;
  return code == cudaErrorInsufficientDriver &&
         (cudaDriverGetVersion(&version) != cudaSuccess || version == 0);
}

}  // namespace

tl::unexpected<Error> cuda_failure(cudaError_t code, const std::string& what) {
  if (lacks_driver(code)) {
    return fail(ErrorDomain::device, what, no_driver, no_driver_hint, static_cast<int>(code));
  }
  return fail(ErrorDomain::device, what,
              fmt::format("{} ({}, {})", cudaGetErrorString(code), cudaGetErrorName(code),
                          static_cast<int>(code)),
              advice(code), static_cast<int>(code));
}

Status cuda_status(cudaError_t code, const std::string& what) {
  if (code == cudaSuccess) {
    return {};
  }
  return cuda_failure(code, what);
}

}  // namespace ridgepoint::collector
