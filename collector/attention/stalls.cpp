#include <algorithm>
#include <cmath>

#include "collector/attention/phases.h"

namespace ridgepoint::collector {
namespace {

constexpr double samples_wanted = 2e5;  // of one variant: 1 % of them are 2000 samples
constexpr std::uint32_t shortest_period_log2 = 10;
constexpr std::uint32_t longest_period_log2 = 20;
constexpr int fewest_repeats = 3;
constexpr int most_repeats = 50;
// A rate that tensor-core attention reaches on the slowest GPUs it runs on. Only the order matters:
// it sets how many samples are taken, not what they say.
constexpr double assumed_flop_per_s = 1e14;

}  // namespace

SamplingPlan plan_sampling(double flop, const DeviceInfo& device) {
  // Every SM takes one sample a period.
  const double clock_hz = device.sm_clock_max_hz > 0 ? device.sm_clock_max_hz : 1e9;
  const double sm_cycles = flop / assumed_flop_per_s * clock_hz *
                           static_cast<double>(std::max<std::int64_t>(1, device.sm_count));
  SamplingPlan plan;
  const double period = std::log2(std::max(1.0, sm_cycles * fewest_repeats / samples_wanted));
  plan.period_log2 =
      std::clamp(static_cast<std::uint32_t>(period), shortest_period_log2, longest_period_log2);
  const double a_run = sm_cycles / static_cast<double>(std::uint32_t{1} << plan.period_log2);
  plan.repeats = static_cast<int>(std::clamp(std::ceil(samples_wanted / std::max(1.0, a_run)),
                                             static_cast<double>(fewest_repeats),
                                             static_cast<double>(most_repeats)));
  return plan;
}

Result<PcSamples> sample_stalls(const AttentionBench& bench, PcSampler& sampler, int repeats,
                                const ProgressSink& progress) {
  if (Status started = sampler.start(); !started) {
    return tl::make_unexpected(started.error());
  }
  for (const MeasuredVariant& variant : bench.variants()) {
    report(progress, "stalls", "sampling " + variant.name());
    for (int i = 0; i < repeats; ++i) {
      if (Status ran = bench.run(variant); !ran) {
        return tl::make_unexpected(ran.error());
      }
    }
  }
  const Status stopped =
      bench.synchronise("sampling the variants").and_then([&] { return sampler.stop(); });
  if (!stopped) {
    return tl::make_unexpected(stopped.error());
  }
  return sampler.take();
}

}  // namespace ridgepoint::collector
