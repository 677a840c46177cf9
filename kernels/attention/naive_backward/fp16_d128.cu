#include "kernels/attention/naive_backward/instance.cuh"

namespace ridgepoint::kernels::naive_backward {

Instance fp16_d128() {
  return make_instance<__half, 128>();
}

}  // namespace ridgepoint::kernels::naive_backward
