#include "kernels/attention/hopper/instance.cuh"

namespace ridgepoint::kernels::hopper {

Instance bf16_d128_causal() {
  return make_instance<Traits<__nv_bfloat16, 128, true>>();
}

}  // namespace ridgepoint::kernels::hopper
