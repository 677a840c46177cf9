// Turns the kernel templates into Instances; included only by the files that define some.
#pragma once

#include "kernels/attention/split_kv/combine.cuh"
#include "kernels/attention/split_kv/kernel.cuh"
#include "kernels/runtime/dependent_launch.h"
#include "kernels/runtime/launch.h"

namespace ridgepoint::kernels::split_kv {

template <class Traits>
cudaError_t launch_attention(const Arguments& arguments, std::int64_t blocks, cudaStream_t stream) {
  return launch_kernel(reinterpret_cast<const void*>(&split_kv_attention_forward<Traits>), blocks,
                       Traits::threads, Traits::smem_bytes, arguments, stream);
}

template <class Traits>
cudaError_t launch_combine(const Arguments& arguments, cudaStream_t stream) {
  return launch_dependent_kernel(
      reinterpret_cast<const void*>(&split_kv_combine<typename Traits::Element, Traits::head_dim>),
      (arguments.rows + combine_rows - 1) / combine_rows, combine_threads, arguments, stream);
}

template <class Traits>
Instance make_instance() {
  return {{Traits::block_m, Traits::block_n, Traits::stages, Traits::threads, Traits::smem_bytes},
          &launch_attention<Traits>,
          &launch_combine<Traits>};
}

template <typename T, int HeadDim>
Instances make_instances() {
  return {make_instance<Traits<T, HeadDim, 1>>(), make_instance<Traits<T, HeadDim, 4>>()};
}

}  // namespace ridgepoint::kernels::split_kv
