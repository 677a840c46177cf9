#include "kernels/attention/fused_backward/instance.cuh"

namespace ridgepoint::kernels::fused_backward {

Instance fp16_d64() {
  return make_instance<Traits<__half, 64, 128>>();
}

}  // namespace ridgepoint::kernels::fused_backward
