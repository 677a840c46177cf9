#include "kernels/attention/hopper/instance.cuh"

namespace ridgepoint::kernels::hopper {

Instance bf16_d64() {
  return make_instance<Traits<__nv_bfloat16, 64, false>>();
}

}  // namespace ridgepoint::kernels::hopper
