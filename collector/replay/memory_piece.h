// What the kernels of memory_kernels.cu work on. Read by nvcc too: C++17, no heavy headers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ridgepoint::collector {

// A piece of the program's memory and the copy of it that we keep.
struct MemoryPiece {
  std::uint64_t live;
  std::uint64_t saved;
  std::uint64_t bytes;
};

inline constexpr unsigned memory_kernel_threads = 512;
// Blocks that share one piece; the grid's y dimension runs over the pieces.
inline constexpr unsigned blocks_per_piece = 32;
inline constexpr std::size_t largest_piece_bytes = std::size_t{32} << 20U;

// Loads that depend on each other, by one thread: few enough to take 0.1 ms from DRAM, each in a
// line and a sector of its own.
inline constexpr unsigned latency_loads = 256;
inline constexpr unsigned latency_stride_bytes = 512;
inline constexpr std::size_t latency_chain_bytes =
    std::size_t{latency_loads} * latency_stride_bytes;

}  // namespace ridgepoint::collector
