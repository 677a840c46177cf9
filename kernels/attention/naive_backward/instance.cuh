// Turns the kernel templates into an Instance; included only by the files that define one.
#pragma once

#include "kernels/attention/naive_backward/key_gradient.cuh"
#include "kernels/attention/naive_backward/softmax_gradient.cuh"
#include "kernels/runtime/launch.h"

namespace ridgepoint::kernels::naive_backward {

// Up to this many keys a warp takes a row; else 256 threads do.
constexpr std::int32_t warp_row_keys = 1024;

template <typename T>
cudaError_t launch_softmax_gradient(const SoftmaxGradientArguments& arguments,
                                    cudaStream_t stream) {
  const bool warp_rows = arguments.shape.seqlen_k <= warp_row_keys;
  const std::int64_t rows = arguments.shape.query_heads * arguments.shape.seqlen_q;
  const std::int64_t blocks = warp_rows ? (rows + 7) / 8 : rows;
  const void* const kernel = warp_rows
                                 ? reinterpret_cast<const void*>(&naive_softmax_gradient<T, 32>)
                                 : reinterpret_cast<const void*>(&naive_softmax_gradient<T, 256>);
  return launch_kernel(kernel, blocks, 256, 0, arguments, stream);
}

template <class Traits>
cudaError_t launch_key_gradient(const KeyGradientArguments& arguments, std::int64_t kv_heads,
                                cudaStream_t stream) {
  return launch_kernel(reinterpret_cast<const void*>(&naive_key_gradient<Traits>),
                       kv_heads * arguments.key_blocks, Traits::threads, Traits::smem_bytes,
                       arguments, stream);
}

template <typename T, int HeadDim>
Instance make_instance() {
  using KeyGradient = KeyGradientTraits<T, HeadDim>;
  return {{{1, 0, 1, 256, 0}, 0},
          {{KeyGradient::block_k, block_n, KeyGradient::stages, KeyGradient::threads,
            KeyGradient::smem_bytes},
           KeyGradient::block_k},
          &launch_softmax_gradient<T>,
          &launch_key_gradient<KeyGradient>};
}

}  // namespace ridgepoint::kernels::naive_backward
