#include "kernels/attention/hopper/instance.cuh"

namespace ridgepoint::kernels::hopper {

Instance fp16_d128_causal() {
  return make_instance<Traits<__half, 128, true>>();
}

}  // namespace ridgepoint::kernels::hopper
