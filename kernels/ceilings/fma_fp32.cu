#include "kernels/ceilings/fma.cuh"
#include "kernels/ceilings/probes.h"

namespace ridgepoint::kernels::ceilings {
namespace {

struct Fp32 {
  using Value = float;
  static constexpr int flop_per_fma = 2;
  static __device__ __forceinline__ Value value(float x) { return x; }
  static __device__ __forceinline__ Value fma(Value x, Value a, Value b) {
    return __fmaf_rn(x, a, b);
  }
  static __device__ __forceinline__ std::uint32_t bits(Value x) { return __float_as_uint(x); }
};

}  // namespace

const Probe& fma_fp32() {
  static const Probe probe = fma_probe<Fp32>("fp32", "FFMA");
  return probe;
}

}  // namespace ridgepoint::kernels::ceilings
