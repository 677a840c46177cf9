#include "kernels/attention/fused_backward/instance.cuh"

namespace ridgepoint::kernels::fused_backward {

Instance fp16_d128() {
  return make_instance<Traits<__half, 128, 64>>();
}

}  // namespace ridgepoint::kernels::fused_backward
