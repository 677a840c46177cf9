// Turns the kernel template into an Instance; included only by the files that define one.
#pragma once

#include "kernels/attention/fused/kernel.cuh"
#include "kernels/runtime/launch.h"

namespace ridgepoint::kernels::fused {

template <class Traits>
cudaError_t launch_instance(const Arguments& arguments, std::int64_t blocks, cudaStream_t stream) {
  return launch_kernel(reinterpret_cast<const void*>(&fused_attention_forward<Traits>), blocks,
                       Traits::threads, Traits::smem_bytes, arguments, stream);
}

template <class Traits>
Instance make_instance() {
  return {{Traits::block_m, Traits::block_n, Traits::stages, Traits::threads, Traits::smem_bytes},
          &launch_instance<Traits>};
}

}  // namespace ridgepoint::kernels::fused
