// Kernels of one or two thread blocks that exercise the Hopper PTX wrappers which are no product
// and no tensor copy. All pointers are device pointers.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace ridgepoint::kernels::tile_test {

// `bulk_load` of `count` floats (a multiple of 4) to shared memory, and from there to `out`.
cudaError_t run_bulk_load(const float* in, int count, float* out);

// Each of `blocks` thread blocks adds block number + 1 to every float of `sums` by `bulk_add`. With
// `reuse_source` its shared memory is overwritten as soon as the engine has read it.
cudaError_t run_bulk_add(float* sums, int count, int blocks, bool reuse_source);

// A warp stores four 8x8 matrices by `store_matrices`, registers as given (4 a lane), matrix i at
// row i of an [4][8][8] tile, and the tile goes to `out`.
cudaError_t run_store_matrices(const std::uint32_t* registers, std::uint16_t* out);

// Ordinary accesses by shared address: every thread stores an int and four floats, and reads those
// of its neighbour, the floats as pairs.
cudaError_t run_shared_accesses(int* ints, float* floats);

// Per lane of two warps: 1 where `elect_lane` chose it; and what `uniform` made of the lane number.
cudaError_t run_lanes(int* elected, int* uniform);

// Warpgroup 0 hands `rounds` numbers to warpgroup 1 over named barriers, one arriving, the other
// waiting, with a barrier of its own for the way back. `out` gets what warpgroup 1 read, [round].
cudaError_t run_named_barriers(int rounds, int* out);

// A producer thread hands `rounds` numbers through a ring of two stages guarded by full and empty
// mbarriers; 64 consumer threads add them up. `out` gets each consumer's sum.
cudaError_t run_mbarrier_ring(int rounds, int* out);

// One warpgroup gives registers up, two take 240 each and add up 200 values that they hold all at
// once. `out` gets each of the 256 threads' sum of the first 200 numbers times its index.
cudaError_t run_register_shift(float* out);

}  // namespace ridgepoint::kernels::tile_test
