#include "kernels/attention/hopper/instance.cuh"

namespace ridgepoint::kernels::hopper {

Instance bf16_d256_causal() {
  return make_instance<Traits<__nv_bfloat16, 256, true>>();
}

}  // namespace ridgepoint::kernels::hopper
