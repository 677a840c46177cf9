#include "kernels/attention/hopper/instance.cuh"

namespace ridgepoint::kernels::hopper {

Instance bf16_d64_causal() {
  return make_instance<Traits<__nv_bfloat16, 64, true>>();
}

}  // namespace ridgepoint::kernels::hopper
