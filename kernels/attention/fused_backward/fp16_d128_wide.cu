#include "kernels/attention/fused_backward/instance.cuh"

namespace ridgepoint::kernels::fused_backward {

Instance fp16_d128_wide() {
  return make_instance<Traits<__half, 128, 128>>();
}

}  // namespace ridgepoint::kernels::fused_backward
