#include "kernels/attention/fused/instance.cuh"

namespace ridgepoint::kernels::fused {

Instance fp16_d256() {
  return make_instance<Traits<__half, 256>>();
}

}  // namespace ridgepoint::kernels::fused
