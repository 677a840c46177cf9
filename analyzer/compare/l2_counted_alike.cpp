#include "analyzer/compare/l2_counted_alike.h"

#include <algorithm>
#include <array>

#include "analyzer/traffic/traffic.h"
#include "analyzer/traffic/traffic_split.h"

namespace ridgepoint {
namespace {

constexpr MemoryLevel l2 = MemoryLevel::l2;

const Traffic& l2_of(const KernelAnalysis& kernel) {
  return kernel.traffic[l2];
}
const Traffic& l2_of(const VariantAnalysis& variant) {
  return variant.traffic[l2].measured;
}

template <class Subject>
bool differently(const Subject& base, const Subject& now) {
  return l2_of(base).total && l2_of(now).total && knows_merged(base) != knows_merged(now);
}

// What merged was read, again and without HBM.
template <class Subject>
void take_out(Traffic& traffic, Subject& subject) {
  if (!traffic.merged || !traffic.total) {
    return;
  }
  const double merged = *traffic.merged;
  const double with_it = *traffic.total;
  forget_merged(traffic);
  if (subject.intensity[l2] && *traffic.total > 0) {
    *subject.intensity[l2] *= with_it / *traffic.total;
  }
  subject.split[l2] = without_merged(subject.split[l2], merged);
  subject.l2_saved_bytes = without_merged(subject.l2_saved_bytes, merged);
}

}  // namespace

bool knows_merged(const KernelAnalysis& kernel) {
  return l2_of(kernel).merged.has_value();
}
bool knows_merged(const VariantAnalysis& variant) {
  return l2_of(variant).merged.has_value();
}

bool l2_counted_differently(const KernelAnalysis& base, const KernelAnalysis& now) {
  return differently(base, now);
}
bool l2_counted_differently(const VariantAnalysis& base, const VariantAnalysis& now) {
  return differently(base, now);
}

KernelAnalysis only_looked_up(KernelAnalysis kernel) {
  take_out(kernel.traffic[l2], kernel);
  if (kernel.bandwidth[l2] && kernel.time_s && *kernel.time_s > 0) {
    kernel.bandwidth[l2] = *kernel.traffic[l2].total / *kernel.time_s;
  }
  return kernel;
}

VariantAnalysis only_looked_up(VariantAnalysis variant) {
  take_out(variant.traffic[l2].measured, variant);
  return variant;
}

bool counts_merged(const std::string& quantity_id) {
  constexpr std::array names = {"l2_bytes",
                                "l2_bytes.measured",
                                "l2_bytes.read",
                                "per_launch.l2_bytes",
                                "intensity.l2",
                                "bandwidth.l2",
                                "traffic_split.l2.again",
                                "l2_saved_bytes",
                                "traffic_split.l2.kept",
                                "traffic_split.l2.inputs_outputs",
                                "traffic_split.l2.intermediates"};
  return std::find(names.begin(), names.end(), quantity_id) != names.end();
}

}  // namespace ridgepoint
