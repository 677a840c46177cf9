#include "kernels/attention/naive/instance.cuh"

namespace ridgepoint::kernels::naive {

Instance fp16_d128() {
  return make_instance<__half, 128>();
}

}  // namespace ridgepoint::kernels::naive
