#include "kernels/ceilings/probes.h"
#include "kernels/ceilings/warpgroup_probe.cuh"

namespace ridgepoint::kernels::ceilings {
namespace {

struct Fp8 : FloatAccumulator {
  using Bits = E4m3Bits;
  using Element = ptx::E4m3;
  static constexpr int element_bytes = 1;
};

}  // namespace

const Probe& wgmma_fp8() {
  static const Probe probe =
      wgmma_probe<Fp8>("tensor_fp8", "m64n256k32 of E4M3, FP32 accumulators");
  return probe;
}

}  // namespace ridgepoint::kernels::ceilings
