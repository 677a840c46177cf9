#include "kernels/attention/split_kv/instance.cuh"

namespace ridgepoint::kernels::split_kv {

Instances fp16_d64() {
  return make_instances<__half, 64>();
}

}  // namespace ridgepoint::kernels::split_kv
