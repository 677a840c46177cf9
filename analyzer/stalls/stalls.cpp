#include "analyzer/stalls/stalls.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace ridgepoint {

bool is_memory_stall(const std::string& reason) {
  constexpr std::array<std::string_view, 6> members = {"long_scoreboard", "short_scoreboard",
                                                       "lg_throttle",     "mio_throttle",
                                                       "tex_throttle",    "drain"};
  return std::find(members.begin(), members.end(), reason) != members.end();
}

namespace {

constexpr std::string_view counter_prefix = "stall_";

void finish(KernelAnalysis& kernel) {
  double memory = 0;
  for (const StallShare& stall : kernel.stalls) {
    memory += stall.memory ? stall.share : 0;
  }
  std::stable_sort(kernel.stalls.begin(), kernel.stalls.end(),
                   [](const StallShare& a, const StallShare& b) { return a.share > b.share; });
  kernel.memory_stall_ratio = memory;
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
    finish(kernel);
  }
}

}  // namespace

void fill_stalls(KernelAnalysis& kernel, const Session& session) {
  std::vector<double> samples(session.stall_reasons.size(), 0);
  double all = 0;
  for (const PcSample& sample : session.pc_samples) {
    if (sample.kernel == kernel.session_kernel && sample.reason < samples.size()) {
      samples[sample.reason] += static_cast<double>(sample.samples);
      all += static_cast<double>(sample.samples);
    }
  }
  if (all <= 0) {
    from_counters(kernel);
    return;
  }
  kernel.stall_samples = static_cast<std::int64_t>(std::min(all, 9e18));  // what an int64 holds
  for (std::size_t reason = 0; reason < samples.size(); ++reason) {
    if (samples[reason] > 0) {
      const std::string& name = session.stall_reasons[reason];
      kernel.stalls.push_back({name, samples[reason] / all, is_memory_stall(name)});
    }
  }
  finish(kernel);
}

}  // namespace ridgepoint
