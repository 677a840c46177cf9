#include "kernels/attention/naive_backward/instance.cuh"

namespace ridgepoint::kernels::naive_backward {

Instance bf16_d128() {
  return make_instance<__nv_bfloat16, 128>();
}

}  // namespace ridgepoint::kernels::naive_backward
