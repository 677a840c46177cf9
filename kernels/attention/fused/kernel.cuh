// Attention forward in one kernel: FlashAttention-2 (arXiv 2307.08691) on mma.sync, for sm_80 and
// later.
//
// A thread block holds block_m query rows and walks the key tiles from last to first, so that the
// tiles which need a mask come first (walk.cuh). S and P stay in registers. Q is read and O written
// once; K and V are read once for every block_m query rows, from L2 where they fit there.
#pragma once

#include "kernels/attention/fused/arguments.h"
#include "kernels/attention/fused/epilogue.cuh"
#include "kernels/attention/fused/traits.cuh"
#include "kernels/attention/fused/walk.cuh"

namespace ridgepoint::kernels {

template <class Traits>
__global__ void __launch_bounds__(Traits::threads, Traits::blocks_per_sm)
    fused_attention_forward(const fused::Arguments p) {
  extern __shared__ __align__(1024) unsigned char shared[];

  const fused::Work<Traits> work(p, static_cast<int>(blockIdx.x));
  float output[Traits::row_tiles][Traits::head_dim / 8][4] = {};
  device::RowState<Traits::row_tiles> state;
  if (work.tiles > 0) {
    fused::KeyWalk<Traits>(p, work, device::shared_address(shared)).run(output, state);
  }
  const fused::Work<Traits> done(p, device::reread_block_index());
  fused::write_rows<Traits>(p, shared, output, state, done.query_head * p.seqlen_q + done.first_row,
                            p.seqlen_q - done.first_row, device::reread_thread_index());
}

}  // namespace ridgepoint::kernels
