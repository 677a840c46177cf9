// Turns the product kernels into an Instance; included only by the files that define one.
#pragma once

#include "kernels/attention/naive/output.cuh"
#include "kernels/attention/naive/scores.cuh"
#include "kernels/runtime/launch.h"

namespace ridgepoint::kernels::naive {

template <class Traits>
cudaError_t launch_scores(const Arguments& arguments, cudaStream_t stream) {
  const std::int64_t strips = (arguments.row_stride + Traits::strip_keys - 1) / Traits::strip_keys;
  return launch_kernel(reinterpret_cast<const void*>(&naive_scores<Traits>),
                       strips * arguments.query_tiles * arguments.query_heads, Traits::threads,
                       Traits::smem_bytes, arguments, stream);
}

template <class Traits>
cudaError_t launch_output(const Arguments& arguments, cudaStream_t stream) {
  return launch_kernel(reinterpret_cast<const void*>(&naive_output<Traits>),
                       arguments.query_tiles * arguments.query_heads, Traits::threads,
                       Traits::smem_bytes, arguments, stream);
}

template <typename T, int HeadDim>
Instance make_instance() {
  using Scores = ScoresTraits<T, HeadDim>;
  using Output = OutputTraits<T, HeadDim>;
  return {
      {{block_m, Scores::block_n, Scores::stages, Scores::threads, Scores::smem_bytes}, HeadDim},
      {{block_m, HeadDim, Output::stages, Output::threads, Output::smem_bytes}, Output::block_k},
      &launch_scores<Scores>,
      &launch_output<Output>};
}

}  // namespace ridgepoint::kernels::naive
