#include "kernels/attention/hopper/instance.cuh"

namespace ridgepoint::kernels::hopper {

Instance fp16_d128() {
  return make_instance<Traits<__half, 128, false>>();
}

}  // namespace ridgepoint::kernels::hopper
