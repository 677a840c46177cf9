#include "analyzer/stalls/shared_samples.h"

#include <algorithm>

namespace ridgepoint {

SharedSamples::SharedSamples(const std::vector<KernelAnalysis>& kernels) {
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    rows_.push_back({kernels[i].session_kernel, kernels[i].time_s});
    if (kernels[i].stall_samples > 0) {
      by_session_kernel_[kernels[i].session_kernel].push_back(i);
    }
  }
}

const std::vector<std::size_t>& SharedSamples::rows_of(std::size_t kernel) const {
  static const std::vector<std::size_t> none;
  if (kernel >= rows_.size()) {
    return none;
  }
  const auto found = by_session_kernel_.find(rows_[kernel].session_kernel);
  return found == by_session_kernel_.end() || found->second.size() < 2 ? none : found->second;
}

std::optional<ShareBounds> SharedSamples::bounds(std::size_t kernel, double share) const {
  const std::vector<std::size_t>& rows = rows_of(kernel);
  if (rows.empty()) {
    return std::nullopt;
  }
  double all_s = 0;
  for (const std::size_t row : rows) {
    if (!rows_[row].time_s) {
      return ShareBounds{};
    }
    all_s += *rows_[row].time_s;
  }
  const double part = all_s > 0 ? *rows_[kernel].time_s / all_s : 0;
  if (!(part > 0)) {
    return ShareBounds{};
  }
  return ShareBounds{std::clamp((share - (1 - part)) / part, 0.0, 1.0),
                     std::clamp(share / part, 0.0, 1.0)};
}

}  // namespace ridgepoint
