// Addresses of ldmatrix operands in a SharedTile. Each returns the address of this lane for k-step
// or column pair 0; `step_address` moves it along a row by steps of two chunks with one XOR,
// because the swizzle is one.
#pragma once

#include <cstdint>

#include "kernels/attention/device/shared_tile.cuh"

namespace ridgepoint::kernels::device {

// A operand (16 rows x 16 k) from row-major rows: matrices (rows 0-7, k 0-7), (8-15, 0-7), (0-7,
// 8-15), (8-15, 8-15).
__device__ __forceinline__ std::uint32_t a_operand_address(std::uint32_t tile, int first_row,
                                                           int lane) {
  const int row = lane & 15;
  const int chunk = lane >> 4;
  return tile + (first_row + row) * 128 + ((chunk ^ (row & 7)) << 4);
}

// Two B operands (16 k x 8 columns each) where a row of the tile is one column of B, as K is for Q
// K^T: matrices (rows 0-7, k 0-7), (0-7, 8-15), (8-15, 0-7), (8-15, 8-15) = b0, b1 of columns 0-7,
// then of 8-15.
__device__ __forceinline__ std::uint32_t b_operand_address(std::uint32_t tile, int first_row,
                                                           int lane) {
  const int row = (lane & 7) + ((lane >> 4) << 3);
  const int chunk = (lane >> 3) & 1;
  return tile + (first_row + row) * 128 + ((chunk ^ (row & 7)) << 4);
}

// Two B operands where a row of the tile is one k of B, as V is for P V, read with .trans:
// matrices (rows 0-7, columns 0-7), (8-15, 0-7), (0-7, 8-15), (8-15, 8-15).
__device__ __forceinline__ std::uint32_t b_transposed_operand_address(std::uint32_t tile,
                                                                      int first_chunk, int lane) {
  const int row = lane & 15;
  const int chunk = (first_chunk & 7) + (lane >> 4);
  return tile + row * 128 + ((chunk ^ (row & 7)) << 4);
}

// A operand (16 rows x 16 k) where a row of the tile is one k of A, read with .trans: matrices (k
// 0-7, rows 0-7), (0-7, 8-15), (8-15, 0-7), (8-15, 8-15). 16 further k are 16 rows of the tile
// further.
__device__ __forceinline__ std::uint32_t a_transposed_operand_address(std::uint32_t tile,
                                                                      int first_chunk, int lane) {
  const int k = (lane & 7) + ((lane >> 4) << 3);
  const int chunk = (first_chunk & 7) + ((lane >> 3) & 1);
  return tile + k * 128 + ((chunk ^ (k & 7)) << 4);
}

// `step` counts pairs of chunks (16 elements) from the address; the low bit of the chunk stays the
// lane's own.
template <class Tile>
__device__ __forceinline__ std::uint32_t step_address(std::uint32_t address, int step) {
  return (address ^ static_cast<std::uint32_t>((step & 3) << 5)) + (step >> 2) * Tile::panel_bytes;
}

}  // namespace ridgepoint::kernels::device
