#include "collector/inject/context_ranges.h"

#include <fmt/format.h>

#include <utility>

namespace ridgepoint::collector {
namespace {

constexpr std::size_t batch_size = 64;

}  // namespace

Result<ContextRanges> ContextRanges::create(const CuptiApi& api, CUctx_st* context,
                                            const CounterSet& set, Recorder& recorder) {
  Result<RangeProfiler> profiler =
      RangeProfiler::enable(api, context, set.choice.host, set.choice.plan, Replay::user_ranges);
  if (!profiler) {
    return tl::make_unexpected(profiler.error());
  }
  return ContextRanges(std::move(*profiler), set, recorder);
}

Status ContextRanges::start() {
  if (started_) {
    return {};
  }
  Status ready = begun_ ? profiler_->again() : profiler_->begin(batch_size);
  begun_ = begun_ || ready.has_value();
  ready = ready.and_then([&] { return profiler_->start(); });
  started_ = ready.has_value();
  return ready;
}

Status ContextRanges::open(std::uint32_t correlation) {
  return start().and_then([&] { return profiler_->push(batch_.size()); }).map([&] {
    if (batch_.empty()) {
      unread_since_ = std::chrono::steady_clock::now();
    }
    batch_.push_back(correlation);
    open_ = true;
  });
}

Status ContextRanges::shut() {
  if (!std::exchange(open_, false)) {
    return {};
  }
  if (const Status ended = profiler_->pop(); !ended) {
    return lose(ended.error());
  }
  return batch_.size() >= batch_size ? read() : Status();
}

std::optional<std::chrono::steady_clock::time_point> ContextRanges::unread_since() const {
  return batch_.empty() ? std::nullopt : std::optional(unread_since_);
}

Status ContextRanges::read() {
  if (!started_) {
    return {};
  }
  if (Status ended = shut(); !ended) {
    return ended;
  }
  started_ = false;
  const Result<bool> stopped = profiler_->stop();
  if (!stopped) {
    return lose(stopped.error());
  }
  if (batch_.empty()) {
    return {};
  }
  Result<RangeValues> values = profiler_->finish();
  if (!values) {
    return lose(values.error());
  }
  if (values->size() != batch_.size()) {
    return lose({ErrorDomain::device, 0, "reading the counters",
                 fmt::format("CUPTI counted {} ranges of {}", values->size(), batch_.size()), ""});
  }
  for (std::size_t i = 0; i < batch_.size(); ++i) {
    missed_patching_ = !keep_patched(*set_, (*values)[i]) || missed_patching_;
    recorder_->counters(batch_[i], set_->names, std::move((*values)[i]));
  }
  batch_.clear();
  return {};
}

Status ContextRanges::lose(Error error) {
  if (std::exchange(started_, false)) {
    static_cast<void>(profiler_->stop());
  }
  for (const std::uint32_t correlation : batch_) {
    recorder_->no_counters(correlation);
  }
  error.why += fmt::format("; the counters of {} ranges are lost", batch_.size());
  batch_.clear();
  return tl::make_unexpected(std::move(error));
}

Status ContextRanges::close() {
  const Status read_all = read();
  const Status closed = profiler_->close();
  return read_all ? closed : read_all;
}

}  // namespace ridgepoint::collector
