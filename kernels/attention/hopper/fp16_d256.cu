#include "kernels/attention/hopper/instance.cuh"

namespace ridgepoint::kernels::hopper {

Instance fp16_d256() {
  return make_instance<Traits<__half, 256, false>>();
}

}  // namespace ridgepoint::kernels::hopper
