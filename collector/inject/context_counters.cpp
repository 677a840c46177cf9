#include "collector/inject/context_counters.h"

#include <fmt/format.h>

#include <utility>

namespace ridgepoint::collector {
namespace {

// Launches a batch: a killed process loses at most one.
constexpr std::size_t batch_size = 64;
// Together about as long as a pause.
constexpr std::size_t tolerated_in_a_row = 40;

}  // namespace

bool keep_patched(const CounterSet& set, std::vector<double>& values) {
  const bool missed = set.controlled() && !(values.back() > 0);
  values.resize(set.names->size());
  for (std::size_t c = 0; missed && c < values.size(); ++c) {
    values[c] = needs_patching((*set.names)[c]) ? not_measured : values[c];
  }
  return !missed;
}

const CounterSet* CounterSets::one_pass() const {
  if (chosen.choice.plan.passes == 1) {
    return &chosen;
  }
  return lite ? &*lite : nullptr;
}

Result<ContextCounters> ContextCounters::create(const CuptiApi& api, CUctx_st* context,
                                                const CounterSets& sets, Recorder& recorder) {
  const CounterSet& set = *sets.one_pass();
  Result<RangeProfiler> profiler =
      RangeProfiler::enable(api, context, set.choice.host, set.choice.plan, Replay::user);
  if (!profiler) {
    return tl::make_unexpected(profiler.error());
  }
  return ContextCounters(std::move(*profiler), recorder);
}

Status ContextCounters::enter(const CounterSet& set) {
  if (&set != set_) {
    if (Status read = pause(); !read) {
      return read;
    }
    profiler_->use(set.choice.host, set.choice.plan, Replay::user);
    if (Status begun = profiler_->begin(batch_size); !begun) {
      return begun;
    }
    set_ = &set;
    image_used_ = false;
  }
  if (started_) {
    return {};
  }
  if (image_used_) {
    if (Status empty = profiler_->again(); !empty) {
      return empty;
    }
  }
  if (Status started = profiler_->start(); !started) {
    return started;
  }
  image_used_ = true;
  started_ = true;
  return {};
}

Status ContextCounters::leave(std::uint32_t correlation, bool launched) {
  unchosen_in_a_row_ = 0;
  return launched ? add(correlation) : Status();
}

bool ContextCounters::tolerates_another() const {
  return started_ && unchosen_in_a_row_ < tolerated_in_a_row;
}

Status ContextCounters::leave_unchosen(bool launched) {
  ++unchosen_in_a_row_;
  return launched ? add(std::nullopt) : Status();
}

std::optional<std::chrono::steady_clock::time_point> ContextCounters::unread_since() const {
  return batch_.empty() ? std::nullopt : std::optional(unread_since_);
}

Status ContextCounters::add(std::optional<std::uint32_t> correlation) {
  if (batch_.empty()) {
    unread_since_ = std::chrono::steady_clock::now();
  }
  batch_.push_back(correlation);
  return batch_.size() >= batch_size ? pause() : Status();
}

Status ContextCounters::pause() {
  if (!started_) {
    return {};
  }
  started_ = false;
  const Result<bool> stopped = profiler_->stop();
  if (!stopped) {
    return lose_batch(stopped.error());
  }
  return batch_.empty() ? Status() : read_batch();
}

Status ContextCounters::read_batch() {
  Result<RangeValues> values = profiler_->finish();
  if (!values) {
    return lose_batch(values.error());
  }
  if (values->size() != batch_.size()) {
    return lose_batch(
        {ErrorDomain::device, 0, "reading the counters",
         fmt::format("CUPTI counted {} launches where {} were made", values->size(), batch_.size()),
         ""});
  }
  for (std::size_t i = 0; i < batch_.size(); ++i) {
    if (batch_[i]) {
      missed_patching_ = !keep_patched(*set_, (*values)[i]) || missed_patching_;
      recorder_->counters(*batch_[i], set_->names, std::move((*values)[i]));
    }
  }
  batch_.clear();
  return {};
}

Status ContextCounters::lose_batch(Error error) {
  for (const std::optional<std::uint32_t>& correlation : batch_) {
    if (correlation) {
      recorder_->no_counters(*correlation);
    }
  }
  error.why += fmt::format("; the counters of {} launches are lost", batch_.size());
  batch_.clear();
  return tl::make_unexpected(std::move(error));
}

Status ContextCounters::close() {
  const Status read = pause();
  const Status closed = profiler_->close();
  return read ? closed : read;
}

}  // namespace ridgepoint::collector
