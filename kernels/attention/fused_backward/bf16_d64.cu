#include "kernels/attention/fused_backward/instance.cuh"

namespace ridgepoint::kernels::fused_backward {

Instance bf16_d64() {
  return make_instance<Traits<__nv_bfloat16, 64, 128>>();
}

}  // namespace ridgepoint::kernels::fused_backward
