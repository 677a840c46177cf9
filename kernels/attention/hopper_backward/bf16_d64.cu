#include "kernels/attention/hopper_backward/instance.cuh"

namespace ridgepoint::kernels::hopper_backward {

Instance bf16_d64() {
  return make_instance<Traits<__nv_bfloat16, 64>>();
}

}  // namespace ridgepoint::kernels::hopper_backward
