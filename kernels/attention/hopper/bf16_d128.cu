#include "kernels/attention/hopper/instance.cuh"

namespace ridgepoint::kernels::hopper {

Instance bf16_d128() {
  return make_instance<Traits<__nv_bfloat16, 128, false>>();
}

}  // namespace ridgepoint::kernels::hopper
