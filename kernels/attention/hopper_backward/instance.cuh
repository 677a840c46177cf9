// Turns the kernel templates into an Instance; included only by the files that define one.
#pragma once

#include "kernels/attention/hopper_backward/conversion.cuh"
#include "kernels/attention/hopper_backward/kernel.cuh"
#include "kernels/attention/recompute/row_terms.cuh"
#include "kernels/runtime/launch.h"

namespace ridgepoint::kernels::hopper_backward {

template <class Traits>
cudaError_t launch_rows(const Arguments& a, cudaStream_t stream) {
  constexpr int rows = recompute::row_kernel_rows<Traits::head_dim>;
  const auto kernel =
      &backward_row_terms<typename Traits::Element, Traits::head_dim, Traits::block_m>;
  return launch_kernel(reinterpret_cast<const void*>(kernel),
                       std::int64_t{a.total_heads} * a.query_tiles * (Traits::block_m / rows),
                       recompute::row_kernel_threads, 0, a.rows, stream);
}

template <class Traits>
cudaError_t launch_main(const Arguments& a, cudaStream_t stream) {
  return launch_kernel(reinterpret_cast<const void*>(&hopper_attention_backward<Traits>),
                       std::int64_t{a.total_kv_heads} * a.key_blocks, Traits::threads,
                       SharedLayout<Traits>::bytes, a, stream);
}

template <class Traits>
cudaError_t launch_conversion(const Arguments& a, cudaStream_t stream) {
  return launch_kernel(reinterpret_cast<const void*>(&hopper_backward_conversion<Traits>),
                       std::int64_t{a.total_heads} * a.query_tiles, conversion_threads, 0, a,
                       stream);
}

template <class Traits>
Instance make_instance() {
  return {{recompute::row_kernel_rows<Traits::head_dim>, 0, 1, recompute::row_kernel_threads, 0},
          {Traits::block_m, Traits::block_n, Traits::q_stages, Traits::threads,
           SharedLayout<Traits>::bytes},
          {Traits::block_m, 0, 1, conversion_threads, 0},
          &launch_rows<Traits>,
          &launch_main<Traits>,
          &launch_conversion<Traits>};
}

}  // namespace ridgepoint::kernels::hopper_backward
