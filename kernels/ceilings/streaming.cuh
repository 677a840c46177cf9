// What the three probes of device memory share: a buffer far larger than any L2, which all blocks
// walk through side by side in pieces.
#pragma once

#include <algorithm>

#include "kernels/ceilings/probe.h"

namespace ridgepoint::kernels::ceilings {

constexpr int streaming_threads = 512;
constexpr int streaming_blocks_per_sm = 2;
constexpr int streaming_loads = 8;  // 16 bytes each, on their way at the same time in every thread
constexpr std::size_t streaming_words = std::size_t{streaming_threads} * streaming_loads;
constexpr std::size_t streaming_piece_bytes = streaming_words * sizeof(uint4);

// 8 GiB, so that what L2 still holds of the last pass is below 1 %, or half of what is free;
// `copies` equal parts, each the same number of pieces for every block.
inline ProbeShape streaming_shape(const ProbeDevice& device, std::size_t copies) {
  ProbeShape shape;
  shape.blocks = device.sm_count * streaming_blocks_per_sm;
  shape.threads = streaming_threads;
  const std::size_t wanted = std::min(std::size_t{8} << 30, device.free_bytes / 2);
  const std::size_t round = streaming_piece_bytes * static_cast<std::size_t>(shape.blocks) * copies;
  shape.buffer_bytes = wanted / round * round;
  shape.work_per_iteration = static_cast<double>(shape.buffer_bytes);
  return shape;
}

}  // namespace ridgepoint::kernels::ceilings
