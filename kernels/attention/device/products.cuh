// Matrix products of one warp from shared memory, on accumulators c[t][n] of 16 rows by 8 columns.
// Each adds to c. Addresses are those of fragments.cuh for this lane; a step takes 16 of the inner
// dimension. More unrolled steps have more loads in flight, and need registers for them.
#pragma once

#include "kernels/attention/device/element.cuh"
#include "kernels/attention/device/fragments.cuh"

namespace ridgepoint::kernels::device {

constexpr int step_rows_bytes = 16 * 128;  // 16 rows of a panel

// Columns 16 * pair to 16 * pair + 15 of all row tiles: two B operands.
template <typename T, int RowTiles, int ColumnTiles>
__device__ __forceinline__ void multiply_pair(float (&c)[RowTiles][ColumnTiles][4], int pair,
                                              const std::uint32_t (&a)[RowTiles][4],
                                              const std::uint32_t (&b)[4]) {
#pragma unroll
  for (int t = 0; t < RowTiles; ++t) {
    multiply_accumulate<T>(c[t][2 * pair], a[t], b[0], b[1]);
    multiply_accumulate<T>(c[t][2 * pair + 1], a[t], b[2], b[3]);
  }
}

// A operands of step k: 16 columns of all row tiles of A.
template <class ATile, int RowTiles>
__device__ __forceinline__ void load_rows(std::uint32_t (&a)[RowTiles][4], std::uint32_t a_address,
                                          int k) {
#pragma unroll
  for (int t = 0; t < RowTiles; ++t) {
    load_matrices(a[t], step_address<ATile>(a_address, k) + t * step_rows_bytes);
  }
}

// Step k of a product whose inner dimension runs along the rows of B's tile: all columns.
template <typename T, class BTile, int RowTiles, int ColumnTiles>
__device__ __forceinline__ void multiply_by_rows(float (&c)[RowTiles][ColumnTiles][4],
                                                 const std::uint32_t (&a)[RowTiles][4],
                                                 std::uint32_t b_address, int k) {
#pragma unroll
  for (int pair = 0; pair < ColumnTiles / 2; ++pair) {
    std::uint32_t b[4];
    load_matrices_transposed(b, step_address<BTile>(b_address, pair) + k * step_rows_bytes);
    multiply_pair<T>(c, pair, a, b);
  }
}

// A B^T: a row of B's tile is a column of the product.
template <typename T, class ATile, class BTile, int RowTiles, int ColumnTiles>
__device__ __forceinline__ void multiply_by_transposed(float (&c)[RowTiles][ColumnTiles][4],
                                                       std::uint32_t a_address,
                                                       std::uint32_t b_address) {
  static_assert(ATile::columns == BTile::columns, "the inner dimension");
#pragma unroll
  for (int k = 0; k < ATile::columns / 16; ++k) {
    std::uint32_t a[RowTiles][4];
    load_rows<ATile>(a, a_address, k);
#pragma unroll
    for (int pair = 0; pair < ColumnTiles / 2; ++pair) {
      std::uint32_t b[4];
      load_matrices(b, step_address<BTile>(b_address, k) + pair * step_rows_bytes);
      multiply_pair<T>(c, pair, a, b);
    }
  }
}

// A B: a row of B's tile is one of the inner dimension.
template <typename T, class ATile, class BTile, int Steps, int Unrolled, int RowTiles,
          int ColumnTiles>
__device__ __forceinline__ void multiply(float (&c)[RowTiles][ColumnTiles][4],
                                         std::uint32_t a_address, std::uint32_t b_address) {
#pragma unroll Unrolled
  for (int k = 0; k < Steps; ++k) {
    std::uint32_t a[RowTiles][4];
    load_rows<ATile>(a, a_address, k);
    multiply_by_rows<T, BTile>(c, a, b_address, k);
  }
}

// P B, with P in registers: p[t][c][r] holds a pair of columns of accumulator tile c, row half r,
// rounded to 16 bits. Two neighbouring tiles are exactly the 16x16 A operand of the next product,
// so probabilities never leave the registers. A row of B's tile is one of the inner dimension.
template <typename T, class BTile, int RowTiles, int ColumnTiles, int InnerTiles>
__device__ __forceinline__ void multiply_probabilities(
    float (&c)[RowTiles][ColumnTiles][4], const std::uint32_t (&p)[RowTiles][InnerTiles][2],
    std::uint32_t b_address) {
#pragma unroll
  for (int k = 0; k < InnerTiles / 2; ++k) {
    std::uint32_t a[RowTiles][4];
#pragma unroll
    for (int t = 0; t < RowTiles; ++t) {
      a[t][0] = p[t][2 * k][0];
      a[t][1] = p[t][2 * k][1];
      a[t][2] = p[t][2 * k + 1][0];
      a[t][3] = p[t][2 * k + 1][1];
    }
    multiply_by_rows<T, BTile>(c, a, b_address, k);
  }
}

// A^T B: a row of either tile is one of the inner dimension.
template <typename T, class BTile, int Steps, int Unrolled, int RowTiles, int ColumnTiles>
__device__ __forceinline__ void multiply_transposed(float (&c)[RowTiles][ColumnTiles][4],
                                                    std::uint32_t a_address,
                                                    std::uint32_t b_address) {
  static_assert(RowTiles <= 2, "the rows of a warp lie in one group of four chunks");
#pragma unroll Unrolled
  for (int k = 0; k < Steps; ++k) {
    std::uint32_t a[RowTiles][4];
#pragma unroll
    for (int t = 0; t < RowTiles; ++t) {
      // 16 rows of the product further are two chunks further along the row of the tile.
      load_matrices_transposed(
          a[t], (a_address ^ static_cast<std::uint32_t>(t << 5)) + k * step_rows_bytes);
    }
    multiply_by_rows<T, BTile>(c, a, b_address, k);
  }
}

// Rounds the accumulators and puts them into a tile, from the given row and chunk on.
template <typename T, class Tile, int RowTiles, int ColumnTiles>
__device__ __forceinline__ void stage_accumulators(unsigned char* tile,
                                                   const float (&c)[RowTiles][ColumnTiles][4],
                                                   int first_row, int first_chunk, int lane) {
#pragma unroll
  for (int t = 0; t < RowTiles; ++t) {
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      const int row = first_row + 16 * t + 8 * r + lane / 4;
#pragma unroll
      for (int n = 0; n < ColumnTiles; ++n) {
        const int offset = Tile::offset(row, first_chunk + n) + 4 * (lane % 4);
        *reinterpret_cast<std::uint32_t*>(tile + offset) =
            Element<T>::pack(c[t][n][2 * r], c[t][n][2 * r + 1]);
      }
    }
  }
}

}  // namespace ridgepoint::kernels::device
