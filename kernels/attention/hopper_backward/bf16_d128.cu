#include "kernels/attention/hopper_backward/instance.cuh"

namespace ridgepoint::kernels::hopper_backward {

Instance bf16_d128() {
  return make_instance<Traits<__nv_bfloat16, 128>>();
}

}  // namespace ridgepoint::kernels::hopper_backward
