// The passes of a replay: which counters, over which launches.
#include <algorithm>
#include <cmath>

#include "collector/replay/kernel_replay.h"

namespace ridgepoint::collector {
namespace {

// Kernels of ours and the counted one, per launch of the batch.
constexpr std::size_t most_ranges_per_launch = 4;

}  // namespace

void KernelReplay::Table::take(std::size_t row, const std::vector<std::string>& counters,
                               const std::vector<double>& values) {
  for (std::size_t i = 0; i < counters.size(); ++i) {
    const auto place = std::find(names->begin(), names->end(), counters[i]);
    if (place != names->end()) {
      rows[row][static_cast<std::size_t>(place - names->begin())] = values[i];
    }
  }
}

// One configuration a profiler: given another, CUPTI goes on with the number of passes of the
// first.
Status KernelReplay::use_counters(const CounterChoice& choice, std::size_t ranges) {
  if (profiler_ && in_use_ != &choice) {
    if (Status closed = close_counters(); !closed) {
      return closed;
    }
  }
  if (!profiler_) {
    Result<RangeProfiler> enabled =
        RangeProfiler::enable(*api_, context_, choice.host, choice.plan, Replay::user);
    if (!enabled) {
      return tl::make_unexpected(enabled.error());
    }
    profiler_.emplace(std::move(*enabled));
    in_use_ = &choice;
  }
  return profiler_->begin(ranges);
}

// `prepare` runs outside of the profiler's session, before each pass.
template <class Prepare, class Work>
Status KernelReplay::run_passes(const CounterChoice& choice, Prepare prepare, Work work) {
  bool complete = false;
  for (std::size_t pass = 0; pass < choice.plan.passes && !complete; ++pass) {
    if (Status started = prepare().and_then([&] { return profiler_->start(); }); !started) {
      return started;
    }
    const Status ran = work();
    // Stopped in any case: a started profiler would count the program's next launches.
    const Result<bool> stopped = profiler_->stop();
    if (!ran) {
      return ran;
    }
    if (!stopped) {
      return tl::make_unexpected(stopped.error());
    }
    complete = *stopped;
  }
  return {};
}

std::optional<ReplayTrouble> KernelReplay::count(const CounterSet& set, Recorder& recorder) {
  Table table{set.names.get(),
              RangeValues(batch_.size(), std::vector<double>(set.names->size(), not_measured))};
  std::optional<ReplayTrouble> trouble;
  bool patched_counted = true;
  Status counted;
  if (!set.patched || set.unpatched) {
    counted = count_part(set.patched ? *set.unpatched : set.choice, table);
  }
  if (counted && set.patched) {
    if (!patched_alone_) {
      counted = count_patched(*set.patched, table, patched_counted);
      patched_alone_ = counted && !patched_counted;
    }
    if (counted && patched_alone_) {
      counted = count_patched_alone(*set.patched, table, patched_counted);
    }
  }
  if (!counted) {
    return ReplayTrouble{"counters.unavailable", counted.error().what + ": " + counted.error().why};
  }
  if (!patched_counted) {
    trouble = ReplayTrouble{"counters.not_patched",
                            "CUPTI gave no counts of instructions by kind (smsp__sass_...) for "
                            "some launches; they are not measured there."};
  }
  for (std::size_t i = 0; i < batch_.size(); ++i) {
    recorder.counters(batch_[i].correlation, set.names, std::move(table.rows[i]));
  }
  batch_.clear();
  return trouble;
}

Status KernelReplay::count_part(const CounterChoice& choice, Table& table) {
  Status ran = use_counters(choice, batch_.size() * most_ranges_per_launch).and_then([&] {
    return run_passes(
        choice, [] { return Status(); }, [&] { return run_batch_once(); });
  });
  if (!ran) {
    return ran;
  }
  std::vector<std::size_t> ranges;
  for (const Waiting& waiting : batch_) {
    ranges.push_back(waiting.range);
  }
  const Result<RangeValues> values = profiler_->finish(ranges);
  if (!values) {
    return tl::make_unexpected(values.error());
  }
  for (std::size_t i = 0; i < batch_.size(); ++i) {
    table.take(i, choice.plan.counters, (*values)[i]);
  }
  return {};
}

// How often an instruction runs does not depend on the caches: nothing but the kernels themselves
// is launched, and memory is copied back.
Status KernelReplay::count_patched(const CounterChoice& choice, Table& table, bool& counted) {
  Status ran = use_counters(choice, batch_.size()).and_then([&] {
    return run_passes(
        choice, [] { return Status(); },
        [&]() -> Status {
          for (const Waiting& waiting : batch_) {
            const Status one = images_.copy_back(*waiting.before, stream_).and_then([&] {
              return driver_status(*driver_, waiting.launch.run(stream_), "running a kernel again");
            });
            if (!one) {
              return one;
            }
          }
          return wait_for_replay();
        });
  });
  if (!ran) {
    return ran;
  }
  const Result<RangeValues> values = profiler_->finish();
  if (!values) {
    return tl::make_unexpected(values.error());
  }
  counted = values->size() == batch_.size();
  for (std::size_t i = 0; counted && i < batch_.size(); ++i) {
    if (!((*values)[i].back() > 0)) {
      counted = false;
    } else {
      table.take(i, choice.plan.counters, (*values)[i]);
    }
  }
  return {};
}

// As above with a session of the profiler for each launch, where CUPTI loses them in a longer one.
Status KernelReplay::count_patched_alone(const CounterChoice& choice, Table& table, bool& counted) {
  counted = true;
  for (std::size_t i = 0; i < batch_.size(); ++i) {
    const auto restore = [&] {
      return images_.copy_back(*batch_[i].before, stream_).and_then([&] {
        return wait_for_replay();
      });
    };
    const auto launch = [&] {
      return driver_status(*driver_, batch_[i].launch.run(stream_), "running a kernel again")
          .and_then([&] { return wait_for_replay(); });
    };
    const Status ran =
        use_counters(choice, 1).and_then([&] { return run_passes(choice, restore, launch); });
    if (!ran) {
      return ran;
    }
    const Result<RangeValues> values = profiler_->finish();
    if (!values) {
      return tl::make_unexpected(values.error());
    }
    if (values->size() == 1 && values->front().back() > 0) {
      table.take(i, choice.plan.counters, values->front());
    } else {
      counted = false;
    }
  }
  return {};
}

}  // namespace ridgepoint::collector
