#include "kernels/ceilings/probes.h"

namespace ridgepoint::kernels::ceilings {

const std::vector<const Probe*>& probes() {
  static const std::vector<const Probe*> all = {
      &hbm_read(),   &hbm_write(),  &hbm_copy(),  &l2_read(),   &smem_read(),
      &fma_fp32(),   &fma_fp64(),   &fma_fp16(),  &mma_fp64(),  &mma_fp16(),
      &mma_bf16(),   &mma_tf32(),   &mma_fp8(),   &mma_int8(),  &wgmma_fp16(),
      &wgmma_bf16(), &wgmma_tf32(), &wgmma_fp8(), &wgmma_int8()};
  return all;
}

bool runs_on(const Probe& probe, int capability) {
  return capability >= probe.first_capability && capability <= probe.last_capability &&
         capability != probe.emulated_on;
}

}  // namespace ridgepoint::kernels::ceilings
