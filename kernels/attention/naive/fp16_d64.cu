#include "kernels/attention/naive/instance.cuh"

namespace ridgepoint::kernels::naive {

Instance fp16_d64() {
  return make_instance<__half, 64>();
}

}  // namespace ridgepoint::kernels::naive
