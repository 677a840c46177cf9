#include "kernels/attention/fused/instance.cuh"

namespace ridgepoint::kernels::fused {

Instance bf16_d128() {
  return make_instance<Traits<__nv_bfloat16, 128>>();
}

}  // namespace ridgepoint::kernels::fused
