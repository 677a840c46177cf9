#include "analyzer/stalls/stalls.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

namespace ridgepoint {

bool is_memory_stall(const std::string& reason) {
  constexpr std::array<std::string_view, 6> members = {"long_scoreboard", "short_scoreboard",
                                                       "lg_throttle",     "mio_throttle",
                                                       "tex_throttle",    "drain"};
  return std::find(members.begin(), members.end(), reason) != members.end();
}

namespace {

constexpr std::string_view counter_prefix = "stall_";

// Largest first; the sum of those that mean waiting for memory.
double sort_and_sum_memory(std::vector<StallShare>& stalls) {
  double memory = 0;
  for (const StallShare& stall : stalls) {
    memory += stall.memory ? stall.share : 0;
  }
  std::stable_sort(stalls.begin(), stalls.end(),
                   [](const StallShare& a, const StallShare& b) { return a.share > b.share; });
  return memory;
}

// Kernels and devices have these three alike; empty without samples.
struct SampledStalls {
  std::vector<StallShare> stalls;
  double memory_stall_ratio = 0;
  std::int64_t samples = 0;
};

std::optional<SampledStalls> shares_of(const std::map<std::uint32_t, double>& by_reason,
                                       const Session& session) {
  double all = 0;
  for (const auto& [reason, count] : by_reason) {
    all += count;
  }
  if (all <= 0) {
    return std::nullopt;
  }
  SampledStalls sampled;
  sampled.samples = static_cast<std::int64_t>(std::min(all, 9e18));  // what an int64 holds
  for (const auto& [reason, count] : by_reason) {
    if (count > 0) {
      const std::string& name = session.stall_reasons[reason];
      sampled.stalls.push_back({name, count / all, is_memory_stall(name)});
    }
  }
  sampled.memory_stall_ratio = sort_and_sum_memory(sampled.stalls);
  return sampled;
}

void from_counters(KernelAnalysis& kernel) {
  const auto all = kernel.quantity("warp_cycles_active");
  if (!all || *all <= 0) {
    return;
  }
  double counted = 0;
  for (const auto& [id, cycles] : kernel.quantities) {
    if (id.compare(0, counter_prefix.size(), counter_prefix) == 0 && cycles > 0) {
      const std::string reason = id.substr(counter_prefix.size());
      kernel.stalls.push_back({reason, cycles, is_memory_stall(reason)});
      counted += cycles;
    }
  }
  // Reasons and total are counted in different passes, or rounded by an import, so that the reasons
  // can sum to slightly more than all; a warp is in one state at a time.
  for (StallShare& stall : kernel.stalls) {
    stall.share /= std::max(*all, counted);
  }
  if (!kernel.stalls.empty()) {
    kernel.memory_stall_ratio = sort_and_sum_memory(kernel.stalls);
  }
}

}  // namespace

PcSamplesByKernel::PcSamplesByKernel(const Session& session)
    : session_(&session), begin_(session.kernels.size() + 1, 0), order_(session.pc_samples.size()) {
  // A counting sort: how many each kernel has, where each begins, then each to its place.
  for (const PcSample& sample : session.pc_samples) {
    if (sample.kernel < session.kernels.size()) {
      ++begin_[sample.kernel + 1];
    }
  }
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  std::vector<std::size_t> next(begin_.begin(), begin_.end());
  for (std::uint32_t i = 0; i < session.pc_samples.size(); ++i) {
    if (const std::uint32_t kernel = session.pc_samples[i].kernel;
        kernel < session.kernels.size()) {
      order_[next[kernel]++] = i;
    }
  }
}

std::map<std::int64_t, std::map<std::uint32_t, double>> PcSamplesByKernel::by_device(
    std::size_t kernel) const {
  std::map<std::int64_t, std::map<std::uint32_t, double>> found;
  if (kernel + 1 >= begin_.size()) {
    return found;
  }
  for (std::size_t i = begin_[kernel]; i < begin_[kernel + 1]; ++i) {
    const PcSample& sample = session_->pc_samples[order_[i]];
    if (sample.reason < session_->stall_reasons.size()) {
      found[sample.device][sample.reason] += static_cast<double>(sample.samples);
    }
  }
  return found;
}

std::map<std::uint32_t, double> PcSamplesByKernel::of(std::size_t kernel) const {
  std::map<std::uint32_t, double> by_reason;
  for (const auto& [device, reasons] : by_device(kernel)) {
    for (const auto& [reason, count] : reasons) {
      by_reason[reason] += count;
    }
  }
  return by_reason;
}

void fill_stalls(KernelAnalysis& kernel, const Session& session, const PcSamplesByKernel& samples) {
  std::optional<SampledStalls> all = shares_of(samples.of(kernel.session_kernel), session);
  if (!all) {
    from_counters(kernel);
    return;
  }
  kernel.stalls = std::move(all->stalls);
  kernel.memory_stall_ratio = all->memory_stall_ratio;
  kernel.stall_samples = all->samples;
  const auto by_device = samples.by_device(kernel.session_kernel);
  if (by_device.size() < 2 || by_device.count(no_index) != 0) {
    return;
  }
  for (const auto& [device, by_reason] : by_device) {
    if (std::optional<SampledStalls> one = shares_of(by_reason, session)) {
      kernel.stalls_by_device.push_back(
          {device, std::move(one->stalls), one->memory_stall_ratio, one->samples});
    }
  }
}

}  // namespace ridgepoint
