#include "kernels/attention/hopper/instance.cuh"

namespace ridgepoint::kernels::hopper {

Instance fp16_d64() {
  return make_instance<Traits<__half, 64, false>>();
}

}  // namespace ridgepoint::kernels::hopper
