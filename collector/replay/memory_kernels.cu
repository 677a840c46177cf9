// Compiled to PTX and loaded into the profiled program's context (memory_kernels.h says what for).
#include "collector/replay/memory_piece.h"

namespace {

using ridgepoint::collector::latency_loads;
using ridgepoint::collector::latency_stride_bytes;
using ridgepoint::collector::MemoryPiece;

__device__ bool aligned(const MemoryPiece& piece) {
  return ((piece.live | piece.saved) & (sizeof(uint4) - 1)) == 0;
}

// Calls action(index) for each of `count` items, shared among the blocks of one piece.
template <class Action>
__device__ void for_each(std::size_t count, Action action) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    action(i);
  }
}

// Calls action(live, saved) for every 16-byte word of the piece, then for every byte that is left.
// The copies are read once: .cs marks their lines as the first to leave the cache.
template <class Words, class Bytes>
__device__ void for_each_pair(const MemoryPiece& piece, Words words, Bytes bytes) {
  const std::size_t whole = aligned(piece) ? piece.bytes / sizeof(uint4) : 0;
  auto* live_words = reinterpret_cast<uint4*>(piece.live);
  const auto* saved_words = reinterpret_cast<const uint4*>(piece.saved);
  for_each(whole, [&](std::size_t i) { words(live_words[i], __ldcs(saved_words + i)); });
  const std::size_t done = whole * sizeof(uint4);
  auto* live = reinterpret_cast<unsigned char*>(piece.live) + done;
  const auto* saved = reinterpret_cast<const unsigned char*>(piece.saved) + done;
  for_each(piece.bytes - done, [&](std::size_t i) { bytes(live[i], saved[i]); });
}

__device__ bool differ(const uint4& a, const uint4& b) {
  return ((a.x ^ b.x) | (a.y ^ b.y) | (a.z ^ b.z) | (a.w ^ b.w)) != 0;
}

}  // namespace

extern "C" __global__ void ridgepoint_compare(const MemoryPiece* pieces, unsigned count,
                                              unsigned* changed) {
  for (unsigned p = blockIdx.y; p < count; p += gridDim.y) {
    bool seen = false;
    for_each_pair(
        pieces[p], [&](uint4& live, const uint4& saved) { seen = seen || differ(live, saved); },
        [&](unsigned char& live, unsigned char saved) { seen = seen || live != saved; });
    if (seen) {
      changed[p] = 1;
    }
  }
}

extern "C" __global__ void ridgepoint_restore(const MemoryPiece* pieces, unsigned count) {
  for (unsigned p = blockIdx.y; p < count; p += gridDim.y) {
    for_each_pair(
        pieces[p],
        [](uint4& live, const uint4& saved) {
          if (differ(live, saved)) {
            live = saved;
          }
        },
        [](unsigned char& live, unsigned char saved) {
          if (live != saved) {
            live = saved;
          }
        });
  }
}

extern "C" __global__ void ridgepoint_read(const MemoryPiece* pieces, unsigned count) {
  for (unsigned p = blockIdx.y; p < count; p += gridDim.y) {
    const MemoryPiece piece = pieces[p];
    // What is left below a whole aligned word shares its line with the words read.
    const std::uint64_t first = (piece.live + sizeof(uint4) - 1) & ~std::uint64_t{15};
    const std::uint64_t end = piece.live + piece.bytes;
    for_each(end > first ? (end - first) / sizeof(uint4) : 0, [&](std::size_t i) {
      unsigned a;
      unsigned b;
      unsigned c;
      unsigned d;
      // volatile: the loads stay although nothing uses them, and nothing is written.
      asm volatile("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                   : "l"(first + i * sizeof(uint4)));
      static_cast<void>(a ^ b ^ c ^ d);
    });
  }
}

// `chain` holds zeros: they are added to the addresses so that each load waits for the one before.
extern "C" __global__ void ridgepoint_latency(const unsigned* chain, unsigned long long* cycles) {
  unsigned at = 0;
  const long long start = clock64();
  for (unsigned i = 0; i < latency_loads; ++i) {
    at += latency_stride_bytes / sizeof(unsigned) + __ldcg(chain + at);  // from L2, not from L1
  }
  // `at` is known only when the last load is back.
  *cycles = static_cast<unsigned long long>(clock64() - start) + (at == 0 ? 1 : 0);
}
