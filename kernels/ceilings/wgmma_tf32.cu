#include "kernels/ceilings/probes.h"
#include "kernels/ceilings/warpgroup_probe.cuh"

namespace ridgepoint::kernels::ceilings {
namespace {

struct Tf32 : FloatAccumulator {
  using Bits = Tf32Bits;
  using Element = ptx::Tf32;
  static constexpr int element_bytes = 4;
};

}  // namespace

const Probe& wgmma_tf32() {
  static const Probe probe = wgmma_probe<Tf32>("tensor_tf32", "m64n256k8, FP32 accumulators");
  return probe;
}

}  // namespace ridgepoint::kernels::ceilings
