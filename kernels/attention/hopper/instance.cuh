// Turns the kernel template into an Instance; included only by the files that define one.
#pragma once

#include "kernels/attention/hopper/kernel.cuh"
#include "kernels/runtime/launch.h"

namespace ridgepoint::kernels::hopper {

template <class Traits>
cudaError_t launch_instance(const Arguments& arguments, int blocks, cudaStream_t stream) {
  return launch_kernel(reinterpret_cast<const void*>(&hopper_attention_forward<Traits>), blocks,
                       Traits::threads, SharedLayout<Traits>::bytes, arguments, stream);
}

template <class Traits>
Instance make_instance() {
  return {{Traits::block_m, Traits::block_n, Traits::kv_stages, Traits::threads,
           SharedLayout<Traits>::bytes},
          &launch_instance<Traits>};
}

}  // namespace ridgepoint::kernels::hopper
