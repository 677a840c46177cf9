#include "kernels/attention/split_kv/instance.cuh"

namespace ridgepoint::kernels::split_kv {

Instances bf16_d64() {
  return make_instances<__nv_bfloat16, 64>();
}

}  // namespace ridgepoint::kernels::split_kv
