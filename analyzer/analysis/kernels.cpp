#include "analyzer/analysis/kernels.h"

#include <algorithm>
#include <cmath>

#include "analyzer/occupancy/occupancy.h"
#include "analyzer/roofline/placement.h"
#include "analyzer/traffic/traffic.h"

namespace ridgepoint {
namespace {

void sum_time(KernelAnalysis& kernel, const SessionTables& tables, const LaunchGroup& group) {
  double sum = 0;
  std::vector<double> times_s;
  times_s.reserve(group.launches.size());
  for (const std::uint32_t launch : group.launches) {
    if (!std::isnan(tables.times_s[launch])) {
      times_s.push_back(tables.times_s[launch]);
      sum += times_s.back();
    }
  }
  if (times_s.size() == group.launches.size()) {
    kernel.time_s = sum;
    kernel.launch_times_s = std::move(times_s);
  } else if (!times_s.empty() && tables.session.policy.counter_profile == "none") {
    // A timeline that took the time of some launches, evenly spread (timeline.sampled). Where
    // counters give the time, those that have none are not like the others: no sum is known.
    kernel.time_s =
        sum / static_cast<double>(times_s.size()) * static_cast<double>(group.launches.size());
  }
}

std::uint32_t longest_launch(const std::vector<double>& times_s, const LaunchGroup& group) {
  std::uint32_t longest = group.launches.front();
  double longest_s = 0;
  for (const std::uint32_t launch : group.launches) {
    if (times_s[launch] > longest_s) {  // false for NaN
      longest_s = times_s[launch];
      longest = launch;
    }
  }
  return longest;
}

void fill_configuration(KernelAnalysis& kernel, const KernelInfo& info, const Launch& launch) {
  kernel.grid = launch.grid;
  kernel.block = launch.block;
  kernel.cluster = launch.cluster;
  kernel.registers_per_thread = info.registers_per_thread;
  constexpr std::int64_t most = std::int64_t{1}
                                << 40;  // more than any block has; keeps the sum from overflowing
  const auto plausible = [](std::int64_t bytes) { return bytes >= 0 && bytes <= most; };
  if (info.static_smem_bytes && plausible(*info.static_smem_bytes) &&
      plausible(launch.dynamic_smem_bytes)) {
    kernel.smem_per_block_bytes = *info.static_smem_bytes + launch.dynamic_smem_bytes;
  }
}

void fill_occupancy(KernelAnalysis& kernel, const DeviceInfo& device, const AllocationUnits& units,
                    const Quantities& quantities) {
  kernel.occupancy.achieved = quantities.get("warps_active_share");
  if (!kernel.registers_per_thread || !kernel.smem_per_block_bytes) {
    return;
  }
  const auto result = occupancy({static_cast<std::int64_t>(count(kernel.block)),
                                 *kernel.registers_per_thread, *kernel.smem_per_block_bytes},
                                device, units);
  if (!result) {
    return;
  }
  kernel.occupancy.theoretical = result->share;
  kernel.occupancy.blocks_per_sm = result->blocks_per_sm;
  kernel.occupancy.limiter = result->limiter;
  if (result->blocks_per_sm > 0 && device.sm_count > 0) {
    kernel.occupancy.waves = waves(count(kernel.grid), result->blocks_per_sm, device.sm_count);
  }
}

void fill_balance(KernelAnalysis& kernel, const Quantities& q) {
  // The longest any SM saw: against the mean the busiest would seem to work more than all the time.
  auto elapsed = q.get("sm_elapsed_cycles_max");
  if (!elapsed) {
    elapsed = q.get("sm_cycles_elapsed");
  }
  if (!elapsed || *elapsed <= 0) {
    return;
  }
  const auto share = [&](const char* id) {
    const auto cycles = q.get(id);
    // The two counters may come from different passes, a few cycles apart.
    return cycles ? std::optional<double>(std::min(1.0, *cycles / *elapsed)) : std::nullopt;
  };
  kernel.balance = {share("sm_cycles_active_min"), share("sm_cycles_active_mean"),
                    share("sm_cycles_active_max")};
}

}  // namespace

SessionTables::SessionTables(const Session& one, const std::vector<DeviceKnowledge>& known)
    : session(one), knowledge(known), samples(one) {
  for (const DeviceKnowledge& device : knowledge) {
    counters.emplace_back(session, device.counters ? &*device.counters : nullptr);
  }
  times_s = launch_times_s(session, counters);
}

AnalysedKernel analyse_kernel(const SessionTables& tables, const LaunchGroup& group) {
  const Session& session = tables.session;
  AnalysedKernel result;
  KernelAnalysis& kernel = result.kernel;
  const KernelInfo& info = session.kernels[group.kernel];
  kernel.name = info.name;
  kernel.variant = group.variant;
  kernel.role = group.role;
  kernel.session_kernel = group.kernel;
  kernel.launches = static_cast<std::int64_t>(group.launches.size());

  const std::size_t device_index = session.launches[group.launches.front()].device;
  const DeviceInfo& device = session.devices[device_index];
  const DeviceKnowledge& known = tables.knowledge[device_index];
  const ChipModel* chip = known.chip ? &*known.chip : nullptr;

  sum_time(kernel, tables, group);
  fill_configuration(kernel, info, session.launches[longest_launch(tables.times_s, group)]);
  const Quantities quantities =
      tables.counters[device_index].gather(group.launches, tables.times_s, result.incomplete);
  kernel.quantities = quantities.all();
  kernel.sm_clock_hz = quantities.get("sm_clock_hz");
  kernel.traffic = traffic_of(quantities);
  kernel.flop = flop_of(quantities);
  fill_balance(kernel, quantities);
  place_on_roofline(kernel, flop_by_unit(quantities), device, chip, quantities);
  fill_stalls(kernel, session, tables.samples);
  fill_occupancy(kernel, device, chip != nullptr ? chip->allocation : AllocationUnits(),
                 quantities);
  return result;
}

}  // namespace ridgepoint
