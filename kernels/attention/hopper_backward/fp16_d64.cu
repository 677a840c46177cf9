#include "kernels/attention/hopper_backward/instance.cuh"

namespace ridgepoint::kernels::hopper_backward {

Instance fp16_d64() {
  return make_instance<Traits<__half, 64>>();
}

}  // namespace ridgepoint::kernels::hopper_backward
