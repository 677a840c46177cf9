#include "kernels/attention/naive_backward/instance.cuh"

namespace ridgepoint::kernels::naive_backward {

Instance fp16_d64() {
  return make_instance<__half, 64>();
}

}  // namespace ridgepoint::kernels::naive_backward
