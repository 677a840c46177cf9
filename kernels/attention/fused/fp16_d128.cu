#include "kernels/attention/fused/instance.cuh"

namespace ridgepoint::kernels::fused {

Instance fp16_d128() {
  return make_instance<Traits<__half, 128>>();
}

}  // namespace ridgepoint::kernels::fused
