// The occupancy calculator: how many blocks of a kernel one SM holds at once, and what limits it.
// It follows the rules of the CUDA occupancy calculator (CUDA C++ Best Practices Guide,
// "Calculating Occupancy"; cuda_occupancy.h).
#pragma once

#include <cstdint>
#include <string>

#include "analyzer/chips/chip.h"
#include "analyzer/core/error.h"
#include "analyzer/session/session.h"

namespace ridgepoint {

struct BlockResources {
  std::int64_t threads = 0;
  std::int64_t registers_per_thread = 0;
  std::int64_t smem_bytes = 0;  // static + dynamic, without the part the system reserves
};

struct BlockLimits {
  std::int64_t by_registers = 0;
  std::int64_t by_smem = 0;
  std::int64_t by_warps = 0;
  std::int64_t by_blocks = 0;
};

struct OccupancyResult {
  BlockLimits limits;  // blocks an SM would hold if this resource were the only one
  std::int64_t blocks_per_sm = 0;
  double share = 0;     // warps resident / warps an SM holds
  std::string limiter;  // the resources that give the lowest limit, joined with ", "
};

inline constexpr std::int64_t warp_size = 32;

// Fails on a block that has no threads or a device that does not say its limits. A block that does
// not fit gives 0 blocks.
Result<OccupancyResult> occupancy(const BlockResources& block, const DeviceInfo& device,
                                  const AllocationUnits& units);

// Blocks launched / blocks the device holds at once.
double waves(std::uint64_t blocks, std::int64_t blocks_per_sm, std::int64_t sm_count);

}  // namespace ridgepoint
