#include "kernels/attention/fused/instance.cuh"

namespace ridgepoint::kernels::fused {

Instance bf16_d64() {
  return make_instance<Traits<__nv_bfloat16, 64>>();
}

}  // namespace ridgepoint::kernels::fused
