#include <fmt/format.h>

#include "collector/attention/phases.h"

namespace ridgepoint::collector {

Result<RangeValues> measure_counters(const AttentionBench& bench, const MeasuredVariant& variant,
                                     RangeProfiler& profiler, std::size_t launches,
                                     std::size_t passes, const ProgressSink& progress) {
  const std::string what = "counting " + variant.name();
  if (Status begun = profiler.begin(launches); !begun) {
    return tl::make_unexpected(begun.error());
  }
  bool complete = false;
  for (std::size_t pass = 0; pass < passes && !complete; ++pass) {
    report(progress, "counters", what, static_cast<std::int64_t>(pass),
           static_cast<std::int64_t>(passes));
    // The cache is cleared outside of start() and stop(), so that it is no range of its own.
    const Status ran = bench.evict_l2()
                           .and_then([&] { return bench.synchronise(what); })
                           .and_then([&] { return profiler.start(); })
                           .and_then([&] { return bench.run(variant); })
                           .and_then([&] { return bench.synchronise(what); });
    // Stopped in any case: a started profiler blocks every later use of the counters.
    const Result<bool> stopped = profiler.stop();
    if (!ran) {
      return tl::make_unexpected(ran.error());
    }
    if (!stopped) {
      return tl::make_unexpected(stopped.error());
    }
    complete = *stopped;
  }
  Result<RangeValues> values = profiler.finish();
  if (values && values->size() != launches) {
    return fail(ErrorDomain::device, what,
                fmt::format("CUPTI saw {} launches where {} were made", values->size(), launches));
  }
  return values;
}

}  // namespace ridgepoint::collector
