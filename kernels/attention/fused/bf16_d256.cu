#include "kernels/attention/fused/instance.cuh"

namespace ridgepoint::kernels::fused {

Instance bf16_d256() {
  return make_instance<Traits<__nv_bfloat16, 256>>();
}

}  // namespace ridgepoint::kernels::fused
