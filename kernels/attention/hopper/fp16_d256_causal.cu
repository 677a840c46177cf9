#include "kernels/attention/hopper/instance.cuh"

namespace ridgepoint::kernels::hopper {

Instance fp16_d256_causal() {
  return make_instance<Traits<__half, 256, true>>();
}

}  // namespace ridgepoint::kernels::hopper
