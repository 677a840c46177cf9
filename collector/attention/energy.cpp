#include <algorithm>
#include <cmath>

#include "collector/attention/phases.h"

namespace ridgepoint::collector {
namespace {

constexpr double most_runs = 200000;
// Queued at a time: a stream holds about a thousand launches before the host has to wait anyway,
// and a run that was cancelled should not go on for long.
constexpr std::int64_t batch_runs = 64;
// Power settles within some tens of milliseconds after the variant before; so long the variant runs
// before its phase begins.
constexpr double settle_share = 0.1;

Status run_often(const AttentionBench& bench, const MeasuredVariant& variant, std::int64_t runs) {
  for (std::int64_t done = 0; done < runs; ++done) {
    if (Status ran = bench.run(variant); !ran) {
      return ran;
    }
    if (done % batch_runs == batch_runs - 1) {
      if (Status idle = bench.synchronise("measuring the energy of " + variant.name()); !idle) {
        return idle;
      }
    }
  }
  return bench.synchronise("measuring the energy of " + variant.name());
}

}  // namespace

Status spend_energy(const AttentionBench& bench, const std::vector<double>& latency_s,
                    double seconds, PowerMonitor& monitor, const ProgressSink& progress) {
  const auto& variants = bench.variants();
  for (std::size_t v = 0; v < variants.size(); ++v) {
    report(progress, "energy", "running " + variants[v].name() + " back to back",
           static_cast<std::int64_t>(v + 1), static_cast<std::int64_t>(variants.size()));
    const auto runs_in = [&](double time_s) {
      return static_cast<std::int64_t>(
          std::clamp(std::ceil(time_s / std::max(latency_s[v], 1e-7)), 1.0, most_runs));
    };
    if (Status settled = run_often(bench, variants[v], runs_in(settle_share * seconds)); !settled) {
      return settled;
    }
    const std::int64_t runs = runs_in(seconds);
    monitor.begin("energy", variants[v].name());
    Status ran = run_often(bench, variants[v], runs);
    monitor.end(runs);
    if (!ran) {
      return ran;
    }
  }
  return {};
}

}  // namespace ridgepoint::collector
