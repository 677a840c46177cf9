#include "kernels/attention/naive_backward/instance.cuh"

namespace ridgepoint::kernels::naive_backward {

Instance bf16_d64() {
  return make_instance<__nv_bfloat16, 64>();
}

}  // namespace ridgepoint::kernels::naive_backward
