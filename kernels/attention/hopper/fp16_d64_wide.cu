#include "kernels/attention/hopper/instance.cuh"

namespace ridgepoint::kernels::hopper {

Instance fp16_d64_wide() {
  return make_instance<Traits<__half, 64, false, WideChoice>>();
}

}  // namespace ridgepoint::kernels::hopper
