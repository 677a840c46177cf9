// A matrix tile in shared memory, free of bank conflicts.
//
// Rows x Columns 16-bit elements are kept as panels of 64 columns, so that a panel row is 128
// bytes: all 32 banks once. The 16-byte chunk c of row r stands at position c ^ (r % 8) of its row.
// Eight rows of one column of chunks (an 8x8 matrix of ldmatrix), eight chunks of one row (a copy)
// and the accumulator pattern of mma (8 rows by 4 words) then all touch 32 different banks.
#pragma once

#include <cstdint>

#include "kernels/attention/device/ptx.cuh"

namespace ridgepoint::kernels::device {

template <int Rows, int Columns>
struct SharedTile {
  static_assert(Rows % 8 == 0 && Columns % 64 == 0, "panels are 64 columns of 8-row groups");
  static constexpr int rows = Rows;
  static constexpr int columns = Columns;
  static constexpr int chunks_per_row = Columns / 8;
  static constexpr int panel_bytes = Rows * 128;
  static constexpr int bytes = Rows * Columns * 2;

  // Byte offset of the 16-byte chunk `chunk` of row `row`.
  static __device__ __forceinline__ int offset(int row, int chunk) {
    return (chunk >> 3) * panel_bytes + row * 128 + (((chunk & 7) ^ (row & 7)) << 4);
  }
};

// Copies a tile by 16-byte asynchronous copies, neighbouring threads on neighbouring chunks. Rows
// from valid_rows on and chunks from valid_chunks on become zero. Tile starts must be multiples of
// 1024 bytes.
template <class Tile, int Threads, typename T>
__device__ __forceinline__ void load_tile(std::uint32_t tile, const T* source, std::int64_t stride,
                                          int valid_rows, int thread,
                                          int valid_chunks = Tile::chunks_per_row) {
  constexpr int chunks = Tile::rows * Tile::chunks_per_row;
  static_assert(chunks % Threads == 0, "every thread copies the same number of chunks");
  // A step covers whole 8-row groups, so every copy of a thread has the same column within its
  // panel and the same swizzle, and its addresses are one base plus constants: registers matter
  // more here than anywhere. Where the threads are too few for eight rows of the whole tile they
  // take it some panels at a time.
  constexpr int chunks_across =
      Threads / 8 < Tile::chunks_per_row ? Threads / 8 : Tile::chunks_per_row;
  constexpr int rows_per_step = Threads / chunks_across;
  static_assert(rows_per_step % 8 == 0 && Tile::rows % rows_per_step == 0,
                "the swizzle of a thread must not change between steps");
  static_assert(chunks_across == Tile::chunks_per_row || chunks_across % 8 == 0,
                "passes over a tile are whole panels");
  const int row = thread / chunks_across;
  const int chunk = thread % chunks_across;
  const T* const first = source + row * stride + chunk * 8;
  const std::uint32_t destination = tile + Tile::offset(row, chunk);
#pragma unroll
  for (int across = 0; across < Tile::chunks_per_row; across += chunks_across) {
    // An address that is not valid is formed but never read.
    const int rows_left = chunk + across < valid_chunks ? valid_rows - row : 0;
#pragma unroll
    for (int i = 0; i < Tile::rows / rows_per_step; ++i) {
      copy_async_16(destination + across / 8 * Tile::panel_bytes + i * rows_per_step * 128,
                    first + i * rows_per_step * stride + across * 8, i * rows_per_step < rows_left);
    }
  }
}

// Writes rows [first_row, first_row + RowCount) of a tile to global memory in 16-byte stores by
// Threads threads.
template <class Tile, int RowCount, int Threads, typename T>
__device__ __forceinline__ void store_rows(const unsigned char* tile, int first_row, T* destination,
                                           std::int64_t stride, int valid_rows, int valid_chunks,
                                           int thread) {
  constexpr int chunks = RowCount * Tile::chunks_per_row;
  static_assert(chunks % Threads == 0, "every thread stores the same number of chunks");
#pragma unroll
  for (int i = 0; i < chunks / Threads; ++i) {
    const int index = i * Threads + thread;
    const int row = first_row + index / Tile::chunks_per_row;
    const int chunk = index % Tile::chunks_per_row;
    const uint4 value = *reinterpret_cast<const uint4*>(tile + Tile::offset(row, chunk));
    if (row < valid_rows && chunk < valid_chunks) {
      // Evict first: nothing here is read again by this kernel, and K, V should stay in L2.
      __stcs(reinterpret_cast<uint4*>(destination + row * stride + chunk * 8), value);
    }
  }
}

}  // namespace ridgepoint::kernels::device
