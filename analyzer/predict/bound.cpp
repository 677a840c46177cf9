#include "analyzer/predict/bound.h"

#include <algorithm>

namespace ridgepoint {
namespace {

std::optional<double> peak_of(const std::vector<Ceiling>& ceilings, const std::string& id) {
  const auto found = std::find_if(ceilings.begin(), ceilings.end(),
                                  [&](const Ceiling& ceiling) { return ceiling.id == id; });
  return found == ceilings.end() ? std::nullopt : found->theoretical;
}

BoundBy bound_of(MemoryLevel level) {
  switch (level) {
    case MemoryLevel::hbm:
      return BoundBy::hbm;
    case MemoryLevel::l2:
      return BoundBy::l2;
    case MemoryLevel::smem:
      return BoundBy::smem;
  }
  return BoundBy::unknown;
}

}  // namespace

double busy_share(double blocks, const DeviceInfo& device) {
  return blocks > 0 ? std::min(1.0, blocks / static_cast<double>(device.sm_count)) : 1;
}

TimeBound time_bound(const KernelIo& io, double flop, const std::string& precision,
                     const std::vector<Ceiling>& ceilings, double busy_share) {
  TimeBound bound;
  const auto consider = [&](std::optional<double>& slot, double work,
                            const std::optional<double>& peak, double share, BoundBy by) {
    if (!peak || *peak <= 0 || share <= 0) {
      return;
    }
    slot = work / (*peak * share);
    if (*slot > bound.time_s) {
      bound.time_s = *slot;
      bound.by = by;
    }
  };
  const PerLevel<double> bytes = {{io.hbm.total(), io.l2.total(), io.smem.total()}};
  for (const MemoryLevel level : memory_levels) {
    const double share = level == MemoryLevel::smem ? busy_share : 1;
    consider(bound.level_s[level], bytes[level], peak_of(ceilings, key(level)), share,
             bound_of(level));
  }
  if (flop > 0) {
    consider(bound.compute_s, flop, peak_of(ceilings, precision), busy_share, BoundBy::compute);
  }
  return bound;
}

}  // namespace ridgepoint
