// Matrix products of every kind that this GPU's tensor cores have, one launch each, for a profiler
// to count. Prints a line a launch: the ceiling it is of, its instruction, its FLOP (2 M N K).
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstring>

#include "kernels/ceilings/probes.h"

namespace {

namespace ceilings = ridgepoint::kernels::ceilings;

constexpr int iterations = 100;

bool fine(cudaError_t code) {
  if (code != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(code));
  }
  return code == cudaSuccess;
}

}  // namespace

int main() {
  cudaDeviceProp device = {};
  void* clocks = nullptr;
  if (!fine(cudaGetDeviceProperties(&device, 0)) || !fine(cudaMalloc(&clocks, 1U << 20U))) {
    return 1;
  }
  const int capability = 10 * device.major + device.minor;
  for (const ceilings::Probe* probe : ceilings::probes()) {
    if (std::strncmp(probe->ceiling, "tensor_", 7) != 0 || !runs_on(*probe, capability)) {
      continue;
    }
    const ceilings::ProbeShape shape = probe->shape({device.multiProcessorCount, 0, 0});
    if (!fine(probe->launch(
            shape, {nullptr, static_cast<ceilings::BlockClock*>(clocks), iterations, nullptr}))) {
      return 1;
    }
    std::printf("%s %s %.0f\n", probe->ceiling, probe->method,
                shape.work_per_iteration * iterations);
  }
  return fine(cudaDeviceSynchronize()) ? 0 : 1;
}
