#include "kernels/attention/split_kv/instance.cuh"

namespace ridgepoint::kernels::split_kv {

Instances bf16_d128() {
  return make_instances<__nv_bfloat16, 128>();
}

}  // namespace ridgepoint::kernels::split_kv
