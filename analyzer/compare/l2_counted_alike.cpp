#include "analyzer/compare/l2_counted_alike.h"

#include <algorithm>

namespace ridgepoint {
namespace {

constexpr MemoryLevel l2 = MemoryLevel::l2;

bool knows_merged(const Analysis& analysis) {
  return std::any_of(
      analysis.kernels.begin(), analysis.kernels.end(),
      [](const KernelAnalysis& kernel) { return kernel.traffic[l2].merged.has_value(); });
}

bool counts_l2(const Analysis& analysis) {
  return std::any_of(
      analysis.kernels.begin(), analysis.kernels.end(),
      [](const KernelAnalysis& kernel) { return kernel.traffic[l2].total.has_value(); });
}

void subtract(std::optional<double>& from, double bytes) {
  if (from) {
    *from = std::max(0.0, *from - bytes);
  }
}

// What merged was read, again and without HBM.
template <class Subject>
void only_looked_up(Traffic& traffic, Subject& subject) {
  if (!traffic.merged || !traffic.total) {
    return;
  }
  const double merged = *traffic.merged;
  const double with_it = *traffic.total;
  subtract(traffic.total, merged);
  subtract(traffic.read, merged);
  traffic.merged.reset();
  if (subject.intensity[l2] && *traffic.total > 0) {
    *subject.intensity[l2] *= with_it / *traffic.total;
  }
  if (subject.split[l2]) {
    subject.split[l2]->again = std::max(0.0, subject.split[l2]->again - merged);
  }
  subtract(subject.l2_saved_bytes, merged);
}

Analysis only_looked_up(Analysis analysis) {
  for (KernelAnalysis& kernel : analysis.kernels) {
    only_looked_up(kernel.traffic[l2], kernel);
    if (kernel.bandwidth[l2] && kernel.time_s && *kernel.time_s > 0) {
      kernel.bandwidth[l2] = *kernel.traffic[l2].total / *kernel.time_s;
    }
  }
  for (VariantAnalysis& variant : analysis.variants) {
    only_looked_up(variant.traffic[l2].measured, variant);
  }
  return analysis;
}

}  // namespace

bool l2_counted_differently(const Analysis& base, const Analysis& now) {
  return counts_l2(base) && counts_l2(now) && knows_merged(base) != knows_merged(now);
}

bool counts_merged(const std::string& quantity_id) {
  const auto begins = [&](const char* with) { return quantity_id.rfind(with, 0) == 0; };
  return begins("l2_") || begins("traffic_split.l2.") || quantity_id == "intensity.l2" ||
         quantity_id == "bandwidth.l2";
}

std::optional<CountedAlike> l2_counted_alike(const Analysis& base, const Analysis& now) {
  if (!l2_counted_differently(base, now)) {
    return std::nullopt;
  }
  return CountedAlike{only_looked_up(base), only_looked_up(now)};
}

}  // namespace ridgepoint
