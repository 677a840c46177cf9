#include "reports/presenters/leading_part.h"

#include <algorithm>
#include <numeric>

#include "reports/presenters/format.h"

namespace ridgepoint {
namespace {

std::vector<std::size_t> longest_first(const Analysis& whole) {
  std::vector<std::size_t> order(whole.kernels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return whole.kernels[a].time_s.value_or(0) > whole.kernels[b].time_s.value_or(0);
  });
  return order;
}

// Most severe first already: the first ones count.
template <class T>
std::size_t cut(std::vector<T>& list, std::size_t limit) {
  const std::size_t over = list.size() > limit ? list.size() - limit : 0;
  list.erase(list.end() - static_cast<std::ptrdiff_t>(over), list.end());
  return over;
}

void keep_kernels(const Analysis& whole, std::vector<std::size_t> kept, LeadingPart& part) {
  std::sort(kept.begin(), kept.end());
  std::vector<std::optional<std::size_t>> place(whole.kernels.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    place[kept[i]] = i;
    part.analysis.kernels.push_back(whole.kernels[kept[i]]);
  }
  for (VariantAnalysis& variant : part.analysis.variants) {
    std::vector<std::size_t> kernels;
    for (const std::size_t kernel : variant.kernels) {
      if (kernel < place.size() && place[kernel]) {
        kernels.push_back(*place[kernel]);
      }
    }
    variant.kernels = std::move(kernels);
  }
  for (Diagnosis& diagnosis : part.analysis.diagnoses) {
    if (!diagnosis.kernel || *diagnosis.kernel >= place.size()) {
      continue;
    }
    if (!place[*diagnosis.kernel]) {
      diagnosis.title += " (" + whole.kernels[*diagnosis.kernel].short_name + ")";
    }
    diagnosis.kernel = place[*diagnosis.kernel];
  }
}

}  // namespace

LeadingPart leading_part(const Analysis& whole, const LeadingLimits& limits) {
  LeadingPart part;
  part.analysis.source = whole.source;
  part.analysis.producer = whole.producer;
  part.analysis.policy = whole.policy;
  part.analysis.devices = whole.devices;
  part.analysis.ceilings = whole.ceilings;
  part.analysis.attention = whole.attention;
  part.analysis.variants = whole.variants;
  part.analysis.targets = whole.targets;
  part.analysis.tile_options = whole.tile_options;
  part.analysis.split_options = whole.split_options;
  part.analysis.run = whole.run;
  part.analysis.ranges = whole.ranges;
  part.analysis.diagnoses = whole.diagnoses;
  part.analysis.issues = whole.issues;
  part.other_diagnoses = cut(part.analysis.diagnoses, limits.diagnoses);
  part.other_issues = cut(part.analysis.issues, limits.issues);
  std::vector<std::size_t> order = longest_first(whole);
  const std::size_t kept = std::min(order.size(), limits.kernels);
  part.other_kernels.assign(order.begin() + static_cast<std::ptrdiff_t>(kept), order.end());
  order.resize(kept);
  keep_kernels(whole, std::move(order), part);
  for (const std::size_t kernel : part.other_kernels) {
    if (const auto& share = whole.kernels[kernel].time_share) {
      part.other_time_share = part.other_time_share.value_or(0) + *share;
    }
  }
  return part;
}

std::string left_out_text(const LeadingPart& part) {
  if (part.other_kernels.empty()) {
    return "";
  }
  std::string text = format_quantity(static_cast<double>(part.other_kernels.size()), Unit::count) +
                     (part.other_kernels.size() == 1 ? " further kernel" : " further kernels");
  if (part.other_time_share) {
    text += ", together " + format_quantity(*part.other_time_share, Unit::share) + " of the time";
  }
  return text;
}

}  // namespace ridgepoint
