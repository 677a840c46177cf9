// One-tile kernels for the tensor-core products of TF32, FP8 and INT8, whose operands are both
// K-major, and a pair of kernels of which the second may start early. All pointers are device
// pointers; a row of an operand is given as 32-bit words, each one TF32 number or four bytes.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace ridgepoint::kernels::tile_test {

enum class NarrowType { tf32, e4m3, int8 };

// A warp multiplies A [16][8 words] by B [8][8 words], transposed (kernels/ptx/mma_sync.cuh): one
// instruction. `d` [16][8] gets the bits of the sums: floats, or integers for int8.
constexpr int warp_words = 8;
cudaError_t run_warp_product(NarrowType type, const std::uint32_t* a, const std::uint32_t* b,
                             std::uint32_t* d);

// A warpgroup multiplies A [64][32 words] by B [256][32 words], transposed
// (kernels/ptx/wgmma_k_major.cuh): four instructions along k. `d` [64][256].
constexpr int warpgroup_words = 32;
cudaError_t run_warpgroup_product(NarrowType type, const std::uint32_t* a, const std::uint32_t* b,
                                  std::uint32_t* d);

// `rounds` times: a kernel lets its dependent start at once and takes its time to write 1000 *
// round
// + i to `numbers`[i]; the dependent waits for it and copies them, last first, to
// `copies`[round][i]. `count` is a multiple of 128.
cudaError_t run_relay(int rounds, int count, int* numbers, int* copies);

}  // namespace ridgepoint::kernels::tile_test
