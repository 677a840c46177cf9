#include "kernels/attention/fused_backward/instance.cuh"

namespace ridgepoint::kernels::fused_backward {

Instance bf16_d128_wide() {
  return make_instance<Traits<__nv_bfloat16, 128, 128>>();
}

}  // namespace ridgepoint::kernels::fused_backward
