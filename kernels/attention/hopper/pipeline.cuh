// The position in a ring of stages, and the life cycle of a stage.
//
// A stage has two mbarriers. `full`: 1 arrival, the producer's, and the bytes of its copies.
// `empty`: the consumers'.
//   producer   wait(empty, producer_parity) -> announce bytes on full -> issue the copy -> advance
//   consumer   wait(full, parity) -> wgmma reads it -> wgmma_wait -> arrive on empty -> advance
// Both walk the ring in the same order and keep their position over all tiles of a persistent
// thread block; nothing is initialised again. K and V have rings of their own, because K of a step
// is done with long before its V. wgmma reads and copies write through the same (asynchronous)
// proxy, so no fence stands between a release and a refill.
#pragma once

#include "kernels/ptx/mbarrier.cuh"

namespace ridgepoint::kernels::hopper {

template <int Stages>
struct RingPosition {
  int stage = 0;
  std::uint32_t parity = 0;

  __device__ __forceinline__ void advance() {
    if constexpr (Stages == 1) {
      parity ^= 1;
    } else {
      ++stage;
      if (stage == Stages) {
        stage = 0;
        parity ^= 1;
      }
    }
  }
  // A stage that was never filled is free: the phase before phase 0 counts as complete.
  __device__ __forceinline__ std::uint32_t producer_parity() const { return parity ^ 1; }
};

}  // namespace ridgepoint::kernels::hopper
