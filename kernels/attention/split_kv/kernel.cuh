// Attention forward for few queries and many keys: Flash-Decoding on mma.sync, for sm_80 and later.
//
// One query, or a few, make too few tiles to fill a GPU, so the keys of each are shared out among
// `parts` thread blocks; each leaves its rows of O in FP32 and their sums, and a second kernel
// combines them (combine.cuh). The query heads of a group are rows of one tile: K and V pass once
// for all of them.
#pragma once

#include "kernels/attention/device/dependent_grid.cuh"
#include "kernels/attention/split_kv/merge.cuh"
#include "kernels/attention/split_kv/traits.cuh"
#include "kernels/attention/split_kv/walk.cuh"

namespace ridgepoint::kernels {

template <class Traits>
__global__ void __launch_bounds__(Traits::threads, Traits::blocks_per_sm)
    split_kv_attention_forward(const split_kv::Arguments p) {
  extern __shared__ __align__(1024) unsigned char shared[];
  device::let_dependents_start();
  const split_kv::Work<Traits> work(p, static_cast<int>(blockIdx.x));
  float output[1][Traits::head_dim / 8][4] = {};
  device::RowState<1> state;
  if (work.first_tile < work.end_tile) {
    split_kv::KeyWalk<Traits>(p, work, device::shared_address(shared)).run(output, state);
  }
  split_kv::Merge<Traits>(p, work, shared).write(output, state);
}

}  // namespace ridgepoint::kernels
