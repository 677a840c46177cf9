// The replay itself: what happens to a batch of launches once all of them have run.
#include <fmt/format.h>

#include "collector/replay/kernel_replay.h"

namespace ridgepoint::collector {
namespace {

// A launch was left out, the others go on.
const char* const waits_code = "replay.waits";

}  // namespace

std::vector<ReplayTrouble> KernelReplay::run(const CounterSet& set, const MemoryMap& memory,
                                             Recorder& recorder) {
  std::vector<ReplayTrouble> troubles;
  const auto note = [&](std::optional<ReplayTrouble> trouble) {
    if (trouble) {
      troubles.push_back(std::move(*trouble));
    }
  };
  if (batch_.empty()) {
    return troubles;
  }
  if (!own_work_ended()) {
    note(ReplayTrouble{"replay.late", fmt::format("{} launches could not be run again: a copy of "
                                                  "Ridgepoint's did not end within {}.",
                                                  batch_.size(), timeout_text())});
    lose(recorder);
    return troubles;
  }
  if (stuck_ || wait_for_program() != Waited::finished) {
    give_up_newest();
    note(ReplayTrouble{waits_code, fmt::format("{} launches could not be run again: what the "
                                               "program had launched did not end within {}.",
                                               batch_.size(), timeout_text())});
    lose(recorder);
    return troubles;
  }
  std::vector<MemoryRange> ranges = memory_of_context(memory);
  for (const Waiting& waiting : batch_) {
    ranges.insert(ranges.end(), waiting.variables.begin(), waiting.variables.end());
  }
  Result<std::shared_ptr<const MemoryImage>> now = images_.take(ranges);
  while (!now && !is_late(now.error()) && batch_.size() > 1) {
    note(not_saved(now.error()));
    recorder.no_counters(batch_.back().correlation);
    batch_.pop_back();
    images_.forget();
    now = images_.take(ranges);
  }
  if (!now) {
    note(not_saved(now.error()));
    lose(recorder);
    return troubles;
  }
  now_ = *now;
  bool proven = false;
  while (!proven) {
    std::optional<ReplayTrouble> trouble = prove(recorder);
    proven = !trouble;
    const bool without_it = trouble && trouble->code == waits_code && !stuck_;
    note(std::move(trouble));
    if (!proven && !without_it) {
      break;
    }
  }
  if (proven && !batch_.empty()) {
    note(count(set, recorder));
  }
  if (!stuck_) {
    note(put_back());
  }
  lose(recorder);  // those that got no counters; the batch ends here
  now_.reset();
  return troubles;
}

// A kernel runs again without the profiler first: under it, the launch call itself would wait for a
// kernel that does not end. Only once a kernel, unless its changes are wanted.
std::optional<ReplayTrouble> KernelReplay::prove(Recorder& recorder) {
  for (Waiting& waiting : batch_) {
    const bool warm = options_.cache == CacheControl::warm;
    if (!warm && proven_.count(waiting.launch.function()) != 0) {
      continue;
    }
    const char* what = "running a kernel again";
    const Status launched = images_.restore(*waiting.before).and_then([&] {
      return driver_status(*driver_, waiting.launch.run(stream_.stream), what);
    });
    if (!launched) {
      return ReplayTrouble{
          "replay.refused",
          fmt::format("{}: {}: {}", waiting.kernel, launched.error().what, launched.error().why)};
    }
    CUresult code = CUDA_SUCCESS;
    const Waited waited = wait_for_stream(*driver_, stream_, code);
    if (waited == Waited::timed_out) {
      return rescue(waiting, recorder);
    }
    if (waited == Waited::failed) {
      return ReplayTrouble{
          "replay.refused",
          fmt::format("{}: {}", waiting.kernel, driver_status(*driver_, code, what).error().why)};
    }
    proven_.insert(waiting.launch.function());
    if (warm) {
      Result<std::shared_ptr<const MemoryImage>> changed = images_.changed_since(*waiting.before);
      if (!changed) {
        return ReplayTrouble{"replay.memory", changed.error().why};
      }
      waiting.changed = *changed;
    }
  }
  return std::nullopt;
}

// The kernel waits for something. Its first run found it, and memory as it is now holds it, unless
// it came from elsewhere. So memory is put back under the running kernel, by the copy engines: it
// may hold all processors.
std::optional<ReplayTrouble> KernelReplay::rescue(const Waiting& hung, Recorder& recorder) {
  waits_.insert(hung.launch.function());
  const std::string kernel = hung.kernel;
  WaitedStream beside = stream_;
  CUresult code = driver_->stream_create(&beside.stream, CU_STREAM_NON_BLOCKING);
  if (code == CUDA_SUCCESS && images_.copy_back(*now_, beside.stream)) {
    const Waited copied = wait_for_stream(*driver_, beside, code);
    if (copied == Waited::finished &&
        wait_for_stream(*driver_, stream_, code) == Waited::finished) {
      driver_->stream_destroy(beside.stream);
      const CUfunction function = hung.launch.function();
      for (auto it = batch_.begin(); it != batch_.end();) {
        if (it->launch.function() == function) {
          recorder.no_counters(it->correlation);
          it = batch_.erase(it);
        } else {
          ++it;
        }
      }
      return ReplayTrouble{
          waits_code,
          fmt::format("{} waits for something outside itself: run again it did not end within {}. "
                      "Memory was put back and it ended; it is not run again any more.",
                      kernel, timeout_text())};
    }
  }
  stuck_ = true;
  lose(recorder);
  return ReplayTrouble{
      "replay.hung",
      fmt::format("{} was run again and does not end: it waits for a peer. It cannot be ended; it "
                  "goes on beside the program, whose results may differ. No kernel is run again "
                  "from here on. Keep such kernels out with --no-replay.",
                  kernel)};
}

Status KernelReplay::run_batch_once() {
  std::size_t launches = 0;
  for (Waiting& waiting : batch_) {
    const Status ran = bring_caches(waiting, launches).and_then([&] {
      return driver_status(*driver_, waiting.launch.run(stream_.stream), "running a kernel again");
    });
    if (!ran) {
      return ran;
    }
    waiting.range = launches++;
  }
  return wait_for_replay();
}

Status KernelReplay::wait_for_replay() {
  return finish(*driver_, stream_, "running kernels again");
}

// Memory as before the launch, and the caches in their stated state. `launches` grows by the
// kernels it takes: each is a range of its own, since the profiler counts whatever is launched.
Status KernelReplay::bring_caches(const Waiting& waiting, std::size_t& launches) {
  const auto one = [&](const PieceTable& table, Status done) {
    launches += table.count != 0 ? 1 : 0;
    return done;
  };
  const PieceTable& before = waiting.before->table();
  Status restored = one(before, kernels_.restore(before, stream_.stream));
  if (!restored) {
    return restored;
  }
  if (options_.cache == CacheControl::warm) {
    const PieceTable& changed = waiting.changed->table();
    if (Status ran =
            driver_status(*driver_, waiting.launch.run(stream_.stream), "warming the caches");
        !ran) {
      return ran;
    }
    ++launches;
    return one(changed, kernels_.restore(changed, stream_.stream));
  }
  if (cold_code_) {
    if (Status emptied = cold_code_->empty_caches(); !emptied) {
      return emptied;
    }
  }
  Status emptied = cold_l2_.empty(launches);
  if (!emptied || options_.cache == CacheControl::flush) {
    return emptied;
  }
  return one(before, kernels_.read(before, stream_.stream));
}

// Nothing of the replay stays in the program's memory.
std::optional<ReplayTrouble> KernelReplay::put_back() {
  CUresult code = CUDA_SUCCESS;
  Waited waited = Waited::failed;
  const auto done = [&](const Status& started) {
    waited = started ? wait_for_stream(*driver_, stream_, code) : Waited::failed;
    return waited == Waited::finished;
  };
  if (done(images_.restore(*now_)) || done(images_.copy_back(*now_, stream_.stream))) {
    return std::nullopt;
  }
  stuck_ = waited == Waited::timed_out;  // what comes late must not come over anything newer
  return ReplayTrouble{
      "replay.restore_failed",
      fmt::format("Device memory could not be restored after kernels were run again ({}): the "
                  "program's results may be wrong from here on.",
                  code == CUDA_SUCCESS ? "no answer in time"
                                       : driver_status(*driver_, code, "").error().why)};
}

void KernelReplay::lose(Recorder& recorder) {
  for (const Waiting& waiting : batch_) {
    recorder.no_counters(waiting.correlation);
  }
  batch_.clear();
}

}  // namespace ridgepoint::collector
