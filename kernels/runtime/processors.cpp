#include "kernels/runtime/processors.h"

#include <cuda_runtime_api.h>

namespace ridgepoint::kernels {

std::int64_t processors() {
  constexpr int of_an_h200 = 132;
  int device = 0;
  int count = 0;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device) != cudaSuccess) {
    cudaGetLastError();  // leaves no error behind for the next launch to find
    return of_an_h200;
  }
  return count;
}

}  // namespace ridgepoint::kernels
