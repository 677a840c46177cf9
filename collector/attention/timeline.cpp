#include <fmt/format.h>

#include "collector/attention/phases.h"
#include "collector/cupti/cupti_api.h"
#include "collector/cupti/cupti_error.h"

namespace ridgepoint::collector {
namespace {

Result<std::int64_t> timestamp_ns(const CuptiApi& api) {
  std::uint64_t ns = 0;
  if (const auto code = api.cuptiGetTimestamp(&ns); code != CUPTI_SUCCESS) {
    return cupti_failure(api, code, "reading CUPTI's clock");
  }
  return static_cast<std::int64_t>(ns);
}

Result<VariantTimeline> record_one(const CuptiApi& api, const AttentionBench& bench,
                                   const MeasuredVariant& variant) {
  VariantTimeline timeline;
  const Status started = start_kernel_records(api);
  if (!started) {
    return tl::make_unexpected(started.error());
  }
  const Result<std::int64_t> start = timestamp_ns(api);
  const Status ran =
      bench.run(variant).and_then([&] { return bench.synchronise("running " + variant.name()); });
  const Result<std::int64_t> end = timestamp_ns(api);
  Result<KernelRecords> records = stop_kernel_records(api);  // in any case, to switch it off
  if (!ran) {
    return tl::make_unexpected(ran.error());
  }
  if (!start || !end) {
    return tl::make_unexpected(start ? end.error() : start.error());
  }
  if (!records) {
    return tl::make_unexpected(records.error());
  }
  const std::size_t expected = variant.tiles(bench.problem()).size();
  if (records->dropped != 0 || records->records.size() != expected) {
    return fail(ErrorDomain::device, "recording the launches of " + variant.name(),
                fmt::format("CUPTI recorded {} launches and dropped {}, where {} were made",
                            records->records.size(), records->dropped, expected));
  }
  timeline.launches = std::move(records->records);
  timeline.start_ns = *start;
  timeline.end_ns = *end;
  return timeline;
}

}  // namespace

Result<std::vector<VariantTimeline>> record_timeline(const CuptiApi& api,
                                                     const AttentionBench& bench) {
  std::vector<VariantTimeline> timelines;
  for (const MeasuredVariant& variant : bench.variants()) {
    Result<VariantTimeline> timeline = record_one(api, bench, variant);
    if (!timeline) {
      return tl::make_unexpected(timeline.error());
    }
    timelines.push_back(std::move(*timeline));
  }
  return timelines;
}

}  // namespace ridgepoint::collector
