#include "kernels/attention/fused/instance.cuh"

namespace ridgepoint::kernels::fused {

Instance fp16_d64() {
  return make_instance<Traits<__half, 64>>();
}

}  // namespace ridgepoint::kernels::fused
