#include "analyzer/occupancy/occupancy.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ridgepoint {
namespace {

std::int64_t divide_up(std::int64_t value, std::int64_t by) {
  return value / by + (value % by != 0 ? 1 : 0);
}

std::int64_t round_up(std::int64_t value, std::int64_t to) {
  return divide_up(value, to) * to;
}

// Every warp lives in one sub-partition with its share of the register file, so the file is filled
// warp by warp in each of them, and what is left over in one cannot help another.
std::int64_t limit_by_registers(const BlockResources& block, std::int64_t warps,
                                const DeviceInfo& device, const AllocationUnits& units) {
  if (block.registers_per_thread <= 0) {
    return device.blocks_per_sm;
  }
  const std::int64_t per_warp = round_up(block.registers_per_thread * warp_size, units.registers);
  const std::int64_t warps_per_partition =
      device.registers_per_sm / units.sub_partitions / per_warp;
  return warps_per_partition * units.sub_partitions / warps;
}

std::int64_t limit_by_smem(const BlockResources& block, const DeviceInfo& device,
                           const AllocationUnits& units) {
  const std::int64_t used =
      round_up(block.smem_bytes + device.smem_reserved_per_block_bytes, units.smem_bytes);
  return used <= 0 ? device.blocks_per_sm : device.smem_per_sm_bytes / used;
}

}  // namespace

Result<OccupancyResult> occupancy(const BlockResources& block, const DeviceInfo& device,
                                  const AllocationUnits& units) {
  const std::string what = "computing the occupancy";
  constexpr std::int64_t most = std::int64_t{1} << 40;  // keeps the products below free of overflow
  if (block.threads <= 0 || block.threads > most || block.registers_per_thread > most ||
      block.smem_bytes < 0 || block.smem_bytes > most) {
    return fail(ErrorDomain::input, what, "the block's size is not plausible");
  }
  if (device.warps_per_sm <= 0 || device.blocks_per_sm <= 0 || device.registers_per_sm <= 0 ||
      device.smem_per_sm_bytes <= 0 || device.smem_reserved_per_block_bytes < 0 ||
      device.smem_reserved_per_block_bytes > most) {
    return fail(ErrorDomain::input, what, "the device's limits are not known");
  }
  const std::int64_t warps = divide_up(block.threads, warp_size);
  OccupancyResult result;
  result.limits.by_registers = limit_by_registers(block, warps, device, units);
  result.limits.by_smem = limit_by_smem(block, device, units);
  result.limits.by_warps = device.warps_per_sm / warps;
  result.limits.by_blocks = device.blocks_per_sm;
  const std::array<std::pair<std::int64_t, const char*>, 4> all = {
      {{result.limits.by_registers, "registers"},
       {result.limits.by_smem, "shared memory"},
       {result.limits.by_warps, "warps"},
       {result.limits.by_blocks, "blocks"}}};
  result.blocks_per_sm = std::min_element(all.begin(), all.end())->first;
  for (const auto& [limit, name] : all) {
    if (limit == result.blocks_per_sm) {
      result.limiter += (result.limiter.empty() ? "" : ", ") + std::string(name);
    }
  }
  result.share =
      static_cast<double>(result.blocks_per_sm * warps) / static_cast<double>(device.warps_per_sm);
  return result;
}

double waves(std::uint64_t blocks, std::int64_t blocks_per_sm, std::int64_t sm_count) {
  const double at_once = static_cast<double>(blocks_per_sm) * static_cast<double>(sm_count);
  return at_once > 0 ? static_cast<double>(blocks) / at_once : 0;
}

}  // namespace ridgepoint
