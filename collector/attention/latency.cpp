#include "collector/attention/phases.h"
#include "collector/cuda/cuda_error.h"

namespace ridgepoint::collector {

Result<std::vector<std::vector<double>>> measure_latency(const AttentionBench& bench,
                                                         int warmup_runs, int repeats,
                                                         const ProgressSink& progress) {
  const auto& variants = bench.variants();
  for (int i = 0; i < warmup_runs; ++i) {
    for (const MeasuredVariant& variant : variants) {
      if (Status ran = bench.run(variant); !ran) {
        return tl::make_unexpected(ran.error());
      }
    }
  }
  if (Status warm = bench.synchronise("warming up"); !warm) {
    return tl::make_unexpected(warm.error());
  }
  // All repeats are queued before the first is read, so that a launch never waits for the host and
  // the time between two events is the GPU's alone.
  struct Timed {
    Event start;
    Event stop;
  };
  std::vector<std::vector<Timed>> timed(variants.size());
  for (int i = 0; i < repeats; ++i) {
    for (std::size_t v = 0; v < variants.size(); ++v) {
      Result<Event> start = create_event();
      Result<Event> stop = create_event();
      if (!start || !stop) {
        return tl::make_unexpected(start ? stop.error() : start.error());
      }
      const Status queued =
          cuda_status(cudaEventRecord(start->get(), bench.stream()), "timing " + variants[v].name())
              .and_then([&] { return bench.run(variants[v]); })
              .and_then([&] {
                return cuda_status(cudaEventRecord(stop->get(), bench.stream()),
                                   "timing " + variants[v].name());
              });
      if (!queued) {
        return tl::make_unexpected(queued.error());
      }
      timed[v].push_back({std::move(*start), std::move(*stop)});
    }
    report(progress, "latency", "timing every variant", i + 1, repeats);
  }
  if (Status done = bench.synchronise("timing the variants"); !done) {
    return tl::make_unexpected(done.error());
  }
  constexpr double seconds_per_ms = 1e-3;
  std::vector<std::vector<double>> latency_s(variants.size());
  for (std::size_t v = 0; v < variants.size(); ++v) {
    for (const Timed& repeat : timed[v]) {
      float ms = 0;
      if (const cudaError_t code = cudaEventElapsedTime(&ms, repeat.start.get(), repeat.stop.get());
          code != cudaSuccess) {
        return cuda_failure(code, "timing " + variants[v].name());
      }
      latency_s[v].push_back(static_cast<double>(ms) * seconds_per_ms);
    }
  }
  return latency_s;
}

}  // namespace ridgepoint::collector
