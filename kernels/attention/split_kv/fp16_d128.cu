#include "kernels/attention/split_kv/instance.cuh"

namespace ridgepoint::kernels::split_kv {

Instances fp16_d128() {
  return make_instances<__half, 128>();
}

}  // namespace ridgepoint::kernels::split_kv
