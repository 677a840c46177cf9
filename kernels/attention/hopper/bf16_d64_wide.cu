#include "kernels/attention/hopper/instance.cuh"

namespace ridgepoint::kernels::hopper {

Instance bf16_d64_wide() {
  return make_instance<Traits<__nv_bfloat16, 64, false, WideChoice>>();
}

}  // namespace ridgepoint::kernels::hopper
