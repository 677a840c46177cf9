#include <cuda_fp16.h>

#include "kernels/ceilings/fma.cuh"
#include "kernels/ceilings/probes.h"

namespace ridgepoint::kernels::ceilings {
namespace {

// On Hopper one HFMA2 keeps the FMA pipe busy for two cycles (sm__pipe_fma_cycles_active is at
// 99.97 % of its peak here), so that the roof is that of FFMA, half of what the data sheet gives.
struct Fp16 {
  using Value = __half2;
  static constexpr int flop_per_fma = 4;  // two lanes
  static __device__ __forceinline__ Value value(float x) { return __float2half2_rn(x); }
  static __device__ __forceinline__ Value fma(Value x, Value a, Value b) {
    return __hfma2(x, a, b);
  }
  static __device__ __forceinline__ std::uint32_t bits(Value x) {
    return *reinterpret_cast<std::uint32_t*>(&x);
  }
};

}  // namespace

const Probe& fma_fp16() {
  static const Probe probe = fma_probe<Fp16>("fp16", "HFMA2, two results a lane");
  return probe;
}

}  // namespace ridgepoint::kernels::ceilings
