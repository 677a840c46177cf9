// Turns the kernel templates into an Instance; included only by the files that define one.
#pragma once

#include "kernels/attention/fused_backward/conversion.cuh"
#include "kernels/attention/fused_backward/kernel.cuh"
#include "kernels/attention/recompute/row_terms.cuh"
#include "kernels/runtime/launch.h"

namespace ridgepoint::kernels::fused_backward {

template <class Traits>
cudaError_t launch_rows(const Arguments& a, cudaStream_t stream) {
  static_assert(recompute::row_kernel_threads == threads);
  constexpr int rows = recompute::row_kernel_rows<Traits::head_dim>;
  const auto kernel = &backward_row_terms<typename Traits::Element, Traits::head_dim, block_m>;
  return launch_kernel(reinterpret_cast<const void*>(kernel),
                       std::int64_t{a.total_heads} * a.rows.query_tiles * (block_m / rows), threads,
                       0, a.rows, stream);
}

template <class Traits>
cudaError_t launch_main(const Arguments& a, cudaStream_t stream) {
  return launch_kernel(reinterpret_cast<const void*>(&fused_attention_backward<Traits>),
                       std::int64_t{a.total_kv_heads} * a.key_blocks, threads, Traits::smem_bytes,
                       a, stream);
}

template <class Traits>
cudaError_t launch_conversion(const Arguments& a, cudaStream_t stream) {
  return launch_kernel(reinterpret_cast<const void*>(&fused_backward_conversion<Traits>),
                       std::int64_t{a.total_heads} * a.rows.query_tiles, threads, 0, a, stream);
}

template <class Traits>
Instance make_instance() {
  return {{recompute::row_kernel_rows<Traits::head_dim>, 0, 1, threads, 0},
          {block_m, Traits::block_n, Traits::q_stages, threads, Traits::smem_bytes},
          {block_m, 0, 1, threads, 0},
          &launch_rows<Traits>,
          &launch_main<Traits>,
          &launch_conversion<Traits>};
}

}  // namespace ridgepoint::kernels::fused_backward
