#include "kernels/ceilings/fma.cuh"
#include "kernels/ceilings/probes.h"

namespace ridgepoint::kernels::ceilings {
namespace {

struct Fp64 {
  using Value = double;
  static constexpr int flop_per_fma = 2;
  static __device__ __forceinline__ Value value(float x) { return x; }
  static __device__ __forceinline__ Value fma(Value x, Value a, Value b) {
    return __fma_rn(x, a, b);
  }
  static __device__ __forceinline__ std::uint32_t bits(Value x) {
    return static_cast<std::uint32_t>(__double2hiint(x) ^ __double2loint(x));
  }
};

}  // namespace

const Probe& fma_fp64() {
  static const Probe probe = fma_probe<Fp64>("fp64", "DFMA");
  return probe;
}

}  // namespace ridgepoint::kernels::ceilings
