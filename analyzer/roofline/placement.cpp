#include "analyzer/roofline/placement.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ridgepoint {
namespace {

void place_levels(KernelAnalysis& kernel, double time_s, const DeviceInfo& device,
                  const ChipModel* chip, const Quantities& quantities, const Clocks& clocks) {
  for (const MemoryLevel level : memory_levels) {
    const Traffic& traffic = kernel.traffic[level];
    if (!traffic.total) {
      continue;
    }
    kernel.bandwidth[level] = *traffic.total / time_s;
    // Of L2 the peak is that of looking up (ceilings.cpp); what merged took none.
    if (const auto peak = bandwidth_peak(level, device, chip, quantities, clocks)) {
      kernel.utilisation[level] = *traffic.looked_up() / time_s / peak->value;
    }
  }
}

// L2 has two roofs: what it can look up, and the ports that carry data to the SMs. The nearer one
// counts.
void consider_l2_ports(KernelAnalysis& kernel, double time_s, const Quantities& quantities,
                       const Clocks& clocks) {
  const auto bytes = quantities.get("l2_to_sm_bytes");
  const auto per_cycle = quantities.get("l2_peak_bytes_per_cycle");
  if (!bytes || !per_cycle || *per_cycle <= 0 || !clocks.l2_hz) {
    return;
  }
  const double ports = *bytes / time_s / (*per_cycle * *clocks.l2_hz);
  auto& utilisation = kernel.utilisation[MemoryLevel::l2];
  utilisation = std::max(utilisation.value_or(0), ports);
}

void place_compute(KernelAnalysis& kernel, double time_s,
                   const std::vector<std::pair<std::string, double>>& flop_by_unit,
                   const DeviceInfo& device, const ChipModel* chip, const Quantities& quantities,
                   const Clocks& clocks) {
  if (kernel.flop.total) {
    kernel.achieved_flop_per_s = *kernel.flop.total / time_s;
  }
  double most = 0;
  for (const auto& [unit, flop] : flop_by_unit) {
    if (const auto peak = compute_peak(unit, device, chip, quantities, clocks)) {
      const double utilisation = flop / time_s / peak->value;
      if (!kernel.compute_utilisation || utilisation > *kernel.compute_utilisation) {
        kernel.compute_utilisation = utilisation;
        kernel.flop.precision = unit;
      }
    } else if (!kernel.compute_utilisation && flop > most) {
      most = flop;
      kernel.flop.precision = unit;
    }
  }
}

void place_intensity(KernelAnalysis& kernel) {
  if (!kernel.flop.total || *kernel.flop.total <= 0) {
    return;
  }
  for (const MemoryLevel level : memory_levels) {
    const std::optional<double>& bytes = kernel.traffic[level].total;
    if (bytes && *bytes > 0) {
      kernel.intensity[level] = *kernel.flop.total / *bytes;
    }
  }
}

}  // namespace

double attainable_flop_per_s(double peak_flop_per_s, double peak_byte_per_s, double intensity) {
  return std::min(peak_flop_per_s, peak_byte_per_s * intensity);
}

std::optional<double> share_of_time(const KernelAnalysis& kernel, const std::string& quantity) {
  const auto share = kernel.quantity(quantity);
  return share ? std::optional<double>(*share * kernel.balance.active_max_share.value_or(1))
               : std::nullopt;
}

std::optional<double> l1_data_utilisation(const KernelAnalysis& kernel) {
  return std::max(kernel.utilisation[MemoryLevel::smem], kernel.quantity("l1_wavefront_share"));
}

std::optional<BusyPipe> busiest_pipe(const KernelAnalysis& kernel) {
  constexpr std::array<std::pair<const char*, const char*>, 4> pipes = {
      {{"tensor_pipe_active_share", "tensor pipe"},
       {"fma_pipe_share", "FMA pipe"},
       {"alu_pipe_share", "ALU pipe"},
       {"xu_pipe_share", "special-function pipe"}}};
  std::optional<BusyPipe> busiest;
  for (const auto& [quantity, name] : pipes) {
    const auto share = share_of_time(kernel, quantity);
    if (share && (!busiest || *share > busiest->share)) {
      busiest = BusyPipe{name, *share};
    }
  }
  return busiest;
}

std::optional<double> arithmetic_utilisation(const KernelAnalysis& kernel) {
  const auto pipe = busiest_pipe(kernel);
  if (!pipe) {
    return kernel.compute_utilisation;
  }
  return std::max(pipe->share, kernel.compute_utilisation.value_or(0));
}

std::optional<double> highest_utilisation(const KernelAnalysis& kernel) {
  std::optional<double> highest = arithmetic_utilisation(kernel);
  const auto consider = [&](const std::optional<double>& share) {
    if (share && (!highest || *share > *highest)) {
      highest = share;
    }
  };
  consider(share_of_time(kernel, "issue_active_share"));
  consider(l1_data_utilisation(kernel));
  for (const auto& utilisation : kernel.utilisation.values) {
    consider(utilisation);
  }
  return highest;
}

BoundBy nearest_roof(const KernelAnalysis& kernel) {
  const auto highest = highest_utilisation(kernel);
  if (!highest || !kernel.utilisation[MemoryLevel::hbm]) {
    return BoundBy::unknown;
  }
  const auto arithmetic = arithmetic_utilisation(kernel);
  const auto issue = share_of_time(kernel, "issue_active_share");
  if (*highest < latency_bound_below) {
    const bool no_flop = kernel.flop.total && *kernel.flop.total <= 0;
    return arithmetic || issue || no_flop ? BoundBy::latency : BoundBy::unknown;
  }
  if (arithmetic == highest) {
    return BoundBy::compute;
  }
  for (const auto& [level, bound] :
       {std::pair(MemoryLevel::hbm, BoundBy::hbm), std::pair(MemoryLevel::l2, BoundBy::l2),
        std::pair(MemoryLevel::smem, BoundBy::smem)}) {
    if (kernel.utilisation[level] == highest) {
      return bound;
    }
  }
  return l1_data_utilisation(kernel) == highest ? BoundBy::smem : BoundBy::issue;
}

void place_on_roofline(KernelAnalysis& kernel,
                       const std::vector<std::pair<std::string, double>>& flop_by_unit,
                       const DeviceInfo& device, const ChipModel* chip,
                       const Quantities& quantities) {
  place_intensity(kernel);
  if (!kernel.time_s || *kernel.time_s <= 0) {
    return;
  }
  const Clocks clocks = measured_clocks(quantities);
  place_levels(kernel, *kernel.time_s, device, chip, quantities, clocks);
  consider_l2_ports(kernel, *kernel.time_s, quantities, clocks);
  place_compute(kernel, *kernel.time_s, flop_by_unit, device, chip, quantities, clocks);
  kernel.bound_by = nearest_roof(kernel);
  if (kernel.bound_by == BoundBy::compute) {
    const auto pipe = busiest_pipe(kernel);
    kernel.bound_pipe =
        pipe && pipe->share > kernel.compute_utilisation.value_or(0) ? pipe->name : "";
  }
  if (kernel.bound_by == BoundBy::smem) {
    constexpr double mostly = 0.5;  // then it is shared memory that fills the stage
    const double by_smem = kernel.utilisation[MemoryLevel::smem].value_or(0);
    kernel.bound_pipe = by_smem < mostly * *l1_data_utilisation(kernel) ? l1_data_stage : "";
  }
  const auto highest = highest_utilisation(kernel);
  if (kernel.bound_by != BoundBy::unknown && highest && *highest > 0 &&
      *kernel.time_s >= shortest_with_headroom_s * static_cast<double>(kernel.launches)) {
    kernel.headroom = std::max(1.0, 1 / *highest);
  }
}

}  // namespace ridgepoint
