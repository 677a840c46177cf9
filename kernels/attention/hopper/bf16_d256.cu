#include "kernels/attention/hopper/instance.cuh"

namespace ridgepoint::kernels::hopper {

Instance bf16_d256() {
  return make_instance<Traits<__nv_bfloat16, 256, false>>();
}

}  // namespace ridgepoint::kernels::hopper
