#include "kernels/attention/naive/softmax_launch.cuh"

namespace ridgepoint::kernels::naive {

cudaError_t launch_softmax_bf16(const Arguments& arguments, cudaStream_t stream) {
  return launch_softmax<__nv_bfloat16>(arguments, stream);
}

}  // namespace ridgepoint::kernels::naive
