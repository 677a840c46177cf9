#include "analyzer/roofline/ceilings.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyzer/roofline/measured_ceilings.h"

namespace ridgepoint {
namespace {

std::optional<double> positive(std::optional<double> value) {
  return value && *value > 0 ? value : std::nullopt;
}

std::optional<double> first_of(std::optional<double> a, double b) {
  return positive(a) ? a : positive(b);
}

std::optional<Peak> hbm_peak(const DeviceInfo& device, const ChipModel* chip, const Quantities& q,
                             const Clocks& clocks) {
  if (const auto per_cycle = positive(q.get("hbm_peak_bytes_per_cycle"));
      per_cycle && positive(clocks.memory_hz)) {
    return Peak{*per_cycle * *clocks.memory_hz,
                fmt::format("counter peak {:.0f} byte a clock x memory clock {:.0f} MHz",
                            *per_cycle, *clocks.memory_hz * 1e-6)};
  }
  const auto clock = first_of(device.memory_clock_max_hz, 0);
  if (chip == nullptr || !clock || device.memory_bus_bits <= 0) {
    return std::nullopt;
  }
  const double bytes_a_transfer = static_cast<double>(device.memory_bus_bits) / 8;
  return Peak{*clock * chip->memory_transfers_per_clock * bytes_a_transfer,
              fmt::format("memory clock {:.0f} MHz x {:.0f} transfers x {} bit bus", *clock * 1e-6,
                          chip->memory_transfers_per_clock, device.memory_bus_bits)};
}

std::optional<Peak> l2_peak(const DeviceInfo& device, const ChipModel* chip, const Quantities& q,
                            const Clocks& clocks) {
  // The peak of what l2_lookup_bytes counts: requests of every client, both directions. Without it,
  // that of the way to the SMs.
  auto per_cycle = positive(q.get("l2_lookup_peak_bytes_per_cycle"));
  if (!per_cycle) {
    per_cycle = positive(q.get("l2_peak_bytes_per_cycle"));
  }
  if (per_cycle && positive(clocks.l2_hz)) {
    return Peak{*per_cycle * *clocks.l2_hz,
                fmt::format("counter peak {:.0f} byte a clock x L2 clock {:.0f} MHz", *per_cycle,
                            *clocks.l2_hz * 1e-6)};
  }
  const auto clock = first_of(clocks.sm_hz, device.sm_clock_max_hz);
  if (chip == nullptr || !chip->l2_bytes_per_clock || !clock) {
    return std::nullopt;
  }
  return Peak{*chip->l2_bytes_per_clock * *clock,
              fmt::format("{}, at the SM clock {:.0f} MHz", chip->l2_source, *clock * 1e-6)};
}

std::optional<Peak> smem_peak(const DeviceInfo& device, const ChipModel* chip,
                              const Clocks& clocks) {
  const auto clock = first_of(clocks.sm_hz, device.sm_clock_max_hz);
  if (chip == nullptr || !clock || device.sm_count <= 0) {
    return std::nullopt;
  }
  return Peak{chip->smem_bytes_per_clock_per_sm * static_cast<double>(device.sm_count) * *clock,
              fmt::format("{:.0f} byte a clock and SM x {} SMs x {:.0f} MHz; {}",
                          chip->smem_bytes_per_clock_per_sm, device.sm_count, *clock * 1e-6,
                          chip->smem_source)};
}

std::optional<double> measured_ceiling(const DeviceInfo& device, const std::string& id) {
  std::optional<double> fastest;
  for (const MeasuredCeiling& one : device.measured_ceilings) {
    if (ceiling_key(one) == id) {
      fastest = positive(std::max(one.value, fastest.value_or(0)));
    }
  }
  return fastest;
}

Ceiling make_ceiling(CeilingKind kind, const std::string& id, const std::string& label,
                     const DeviceInfo& device, const std::optional<Peak>& peak) {
  Ceiling ceiling;
  ceiling.kind = kind;
  ceiling.id = id;
  ceiling.label = label;
  ceiling.measured = measured_ceiling(device, id);
  if (peak) {
    ceiling.theoretical = peak->value;
    ceiling.source = peak->source;
  }
  return ceiling;
}

}  // namespace

Clocks measured_clocks(const Quantities& q) {
  return {positive(q.get("sm_clock_hz")), positive(q.get("memory_clock_hz")),
          positive(q.get("l2_clock_hz"))};
}

Clocks chart_clocks(const DeviceInfo& device, const Clocks& measured) {
  Clocks clocks = measured;
  clocks.sm_hz = first_of(device.sm_clock_max_hz, measured.sm_hz.value_or(0));
  return clocks;
}

std::optional<Peak> bandwidth_peak(MemoryLevel level, const DeviceInfo& device,
                                   const ChipModel* chip, const Quantities& quantities,
                                   const Clocks& clocks) {
  switch (level) {
    case MemoryLevel::hbm:
      return hbm_peak(device, chip, quantities, clocks);
    case MemoryLevel::l2:
      return l2_peak(device, chip, quantities, clocks);
    case MemoryLevel::smem:
      return smem_peak(device, chip, clocks);
  }
  return std::nullopt;
}

std::optional<Peak> compute_peak(const std::string& unit, const DeviceInfo& device,
                                 const ChipModel* chip, const Quantities& quantities,
                                 const Clocks& clocks) {
  const auto clock = first_of(clocks.sm_hz, device.sm_clock_max_hz);
  if (!clock) {
    return std::nullopt;
  }
  const ComputeUnit* known = chip != nullptr ? chip->unit(unit) : nullptr;
  if (known != nullptr && device.sm_count > 0) {
    return Peak{
        known->flop_per_clock_per_sm * static_cast<double>(device.sm_count) * *clock,
        fmt::format("{:.0f} FLOP a clock and SM x {} SMs x {:.0f} MHz; {}",
                    known->flop_per_clock_per_sm, device.sm_count, *clock * 1e-6, known->source)};
  }
  if (const auto per_cycle = positive(quantities.get(unit + "_peak_flop_per_cycle"))) {
    return Peak{*per_cycle * *clock, fmt::format("counter peak {:.0f} FLOP a clock x {:.0f} MHz",
                                                 *per_cycle, *clock * 1e-6)};
  }
  return std::nullopt;
}

std::vector<Ceiling> ceilings_of(const DeviceInfo& device, const ChipModel* chip,
                                 const Quantities& quantities) {
  const Clocks clocks = chart_clocks(device, measured_clocks(quantities));
  std::vector<Ceiling> ceilings;
  const auto keep = [&](Ceiling ceiling) {
    if (ceiling.theoretical || ceiling.measured) {
      ceilings.push_back(std::move(ceiling));
    }
  };
  for (const MemoryLevel level : memory_levels) {
    const std::string name = level == MemoryLevel::hbm && chip != nullptr
                                 ? chip->memory_label
                                 : std::string(label(level));
    keep(make_ceiling(CeilingKind::bandwidth, key(level), name, device,
                      bandwidth_peak(level, device, chip, quantities, clocks)));
  }
  if (chip != nullptr) {
    for (const ComputeUnit& unit : chip->units) {
      keep(make_ceiling(CeilingKind::compute, unit.id, unit.label, device,
                        compute_peak(unit.id, device, chip, quantities, clocks)));
    }
  }
  // What was measured although no description tells the theory.
  for (const MeasuredCeiling& one : device.measured_ceilings) {
    const std::string id = ceiling_key(one);
    const auto same = [&](const Ceiling& ceiling) { return ceiling.id == id; };
    if (std::none_of(ceilings.begin(), ceilings.end(), same)) {
      keep(make_ceiling(CeilingKind::compute, id, id, device, std::nullopt));
    }
  }
  return ceilings;
}

}  // namespace ridgepoint
