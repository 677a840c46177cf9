#include "kernels/attention/hopper/instance.cuh"

namespace ridgepoint::kernels::hopper {

Instance fp16_d64_causal() {
  return make_instance<Traits<__half, 64, true>>();
}

}  // namespace ridgepoint::kernels::hopper
