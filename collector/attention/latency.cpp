#include "collector/attention/phases.h"
#include "collector/cuda/cuda_error.h"

namespace ridgepoint::collector {

Status warm_up(const AttentionBench& bench, int runs) {
  for (int i = 0; i < runs; ++i) {
    for (const MeasuredVariant& variant : bench.variants()) {
      if (Status ran = bench.run(variant); !ran) {
        return ran;
      }
    }
  }
  return bench.synchronise("warming up");
}

Result<std::vector<std::vector<double>>> measure_latency(const AttentionBench& bench, int repeats,
                                                         const ProgressSink& progress) {
  const auto& variants = bench.variants();
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
