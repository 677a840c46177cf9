#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analyzer/core/data_path.h"
#include "collector/attention/phases.h"
#include "collector/cupti/pm_counters.h"
#include "collector/cupti/pm_sampler.h"

namespace ridgepoint::collector {
namespace {

// Room for the launch and the clocks to differ from the timed runs.
constexpr double spare_time = 3;
constexpr double spare_s = 2e-3;
constexpr std::size_t fewest_samples = 1024;
constexpr std::size_t most_samples = 65536;

Result<PmSeries> sample_one(const AttentionBench& bench, const MeasuredVariant& variant,
                            PmSampler& sampler) {
  Status ran = sampler.start().and_then([&] { return bench.run(variant); });
  const Status idle = bench.synchronise("sampling " + variant.name());
  const Status stopped = sampler.stop();  // in any case, to switch it off
  for (const Status& step : {ran, idle, stopped}) {
    if (!step) {
      return tl::make_unexpected(step.error());
    }
  }
  return sampler.take();
}

}  // namespace

Result<std::vector<PmSeries>> sample_over_time(const AttentionBench& bench, const CuptiApi& api,
                                               const PmSamplingPlan& plan,
                                               const ProgressSink& progress) {
  const Result<std::vector<std::string>> counters = data_directory().and_then(
      [&](const std::filesystem::path& data) { return pm_sampling_counters(plan.chip, data); });
  if (!counters) {
    return tl::make_unexpected(counters.error());
  }
  std::vector<PmSeries> all;
  const auto& variants = bench.variants();
  for (std::size_t v = 0; v < variants.size(); ++v) {
    report(progress, "pm sampling", "sampling " + variants[v].name() + " over time",
           static_cast<std::int64_t>(v + 1), static_cast<std::int64_t>(variants.size()));
    const double samples = (spare_time * plan.latency_s.at(v) + spare_s) /
                           (static_cast<double>(plan.interval_ns) * 1e-9);
    PmSamplerOptions options;
    options.device = plan.device;
    options.chip = plan.chip;
    options.counters = *counters;
    options.interval_ns = plan.interval_ns;
    options.most_samples = std::clamp(static_cast<std::size_t>(std::ceil(std::min(samples, 1e6))),
                                      fewest_samples, most_samples);
    Result<PmSampler> sampler = PmSampler::create(api, options);
    if (!sampler) {
      return tl::make_unexpected(sampler.error());
    }
    Result<PmSeries> series = sample_one(bench, variants[v], *sampler);
    const Status closed = sampler->close();
    if (!series || !closed) {
      return tl::make_unexpected(series ? closed.error() : series.error());
    }
    series->variant = variants[v].name();
    all.push_back(std::move(*series));
  }
  return all;
}

}  // namespace ridgepoint::collector
