// What the tool has learnt, on its way into the journal.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <iterator>
#include <utility>

#include "analyzer/session/journal.h"
#include "collector/inject/activity.h"
#include "collector/inject/current_context.h"
#include "collector/inject/exit_calls.h"
#include "collector/inject/launch_wrappers.h"
#include "collector/inject/nvtx_entry.h"
#include "collector/inject/tool.h"
#include "collector/profile/output_name.h"
#include "collector/profile/process_end.h"

namespace ridgepoint::collector {
namespace {

using std::chrono::milliseconds;

// A killed process loses at most the counters of this long.
constexpr milliseconds read_interval{1000};
// As above for launches that wait for their replay, which costs the more the fewer they are.
constexpr milliseconds replay_interval{3000};
// How long the writer waits for a moment without a counted launch.
constexpr milliseconds writer_patience{100};
// How long exit() waits for a launch that another thread has in hand, and how long any other end
// does, which is itself waited for.
constexpr milliseconds exit_patience{10000};
constexpr milliseconds early_end_patience{500};
constexpr milliseconds rarely_of_records{100};
constexpr int most_turns = 1000;  // of one process number

// The first turn is the first that asks CUPTI for records, and CUPTI may make then what it ends at
// exit: the handler that makes the writer quiet is to come before that too.
constexpr int handlers_after_first_turn = 2;

bool nothing_happened(const Session& part) {
  return part.launches.empty() && part.memory_operations.empty() && part.pm_series.empty() &&
         part.issues.empty();
}

bool is_empty(const Session& part) {
  return nothing_happened(part) && part.ranges.empty() && part.range_ends.empty() &&
         part.devices.empty() && part.pc_samples.empty();
}

}  // namespace

// From the first launch on there is a file which says that the GPU was used, whatever happens next.
void InjectedTool::start_writer() {
  {
    const std::lock_guard<std::mutex> lock(writing_);
    open_journal();
  }
  WriterThread::Work work;
  work.regularly = [this] { write_now_and_then(); };
  work.finally = [this](int end) { write_finally(end); };
  if (takes_timeline() && !sampling_ && !sampling_over_time_) {
    work.rarely = rarely_of_records;  // no launch waits for its turns
  }
  writer_.start(std::move(work));
  finish_replays_at_exit();
}

void InjectedTool::give_up_journal(int failure) {
  journal_failed_ = true;
  // The launcher hears of it by a name: a full disk still takes that.
  leave_failure(failure_path(journal_path_, failure));
}

void InjectedTool::add_policy(Session& part, Recorder::Part what) {
  const std::lock_guard<std::mutex> state(state_);
  Policy now = policy(what);
  const std::string key = fmt::format("{}|{}|{}", now.replay_mode, now.passes, now.cache_control);
  if (key != policy_written_ || what == Recorder::Part::everything) {
    policy_written_ = key;
    part.policy = std::move(now);
  }
}

void InjectedTool::append(const Session& part) {
  if (journal_failed_) {
    return;
  }
  if (const Status written = journal_->append(part); !written) {
    give_up_journal(written.error().code);
  }
}

void InjectedTool::open_journal() {
  const ProcessIdentity process = this_process();
  ProcessTurn turn{process.process};
  const auto create = [&] {
    journal_path_ = journal_path(expand_output(settings_.output, process), settings_.run_id, turn);
    return JournalFile::create(journal_path_);
  };
  Result<JournalFile> journal = create();
  while (!journal && journal.error().code == EEXIST && turn.turn < most_turns) {
    ++turn.turn;
    journal = create();
  }
  if (!journal) {
    give_up_journal(journal.error().code);
    return;
  }
  journal_.emplace(std::move(*journal));
  Session head;
  head.producer.version = settings_.version;
  head.producer.time_utc = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  head.producer.command_line = settings_.command_line;
  head.producer.mode = "profile";
  if (settings_.record_host) {
    head.producer.host = process.host;
  }
  add_policy(head, Recorder::Part::complete);
  append(head);
}

void InjectedTool::write(Recorder::Part what) {
  const std::lock_guard<std::mutex> lock(writing_);
  if (journal_failed_) {
    return;
  }
  describe_devices();
  if (sampling_) {
    // Before the recorder's part, which brings the kernels that these samples name.
    merge_session(held_back_, sampling_->take(what == Recorder::Part::everything));
  }
  if (untimed_) {
    untimed_->hand_on(recorder_, what == Recorder::Part::everything);
    describe_devices();
  }
  std::optional<Session> taken = recorder_.take(what);
  if (!taken) {
    if (what == Recorder::Part::complete) {
      return;  // a device was first seen this very moment
    }
    describe_devices();
    taken = recorder_.take(what);
  }
  Session part = std::exchange(held_back_, {});
  merge_session(part, taken ? std::move(*taken) : Session());
  // After the launches: every range they name is in this part or an earlier one.
  NvtxRanges::News news = nvtx_ranges().take_news();
  part.ranges.insert(part.ranges.end(), std::make_move_iterator(news.opened.begin()),
                     std::make_move_iterator(news.opened.end()));
  part.range_ends.insert(part.range_ends.end(), news.ended.begin(), news.ended.end());
  // A process that never launched anything, and met no trouble, leaves no file.
  if (!journal_ ? nothing_happened(part) : what == Recorder::Part::complete && is_empty(part)) {
    held_back_ = std::move(part);
    return;
  }
  if (what == Recorder::Part::everything) {
    part.issues.push_back(
        {complete_code, "The process came to its end; its records are complete."});
  }
  if (!journal_) {
    open_journal();
  }
  add_policy(part, what);
  append(part);
}

// What CUPTI holds back, so that it is not lost with the process.
void InjectedTool::collect() {
  const std::lock_guard<std::mutex> cupti(cupti_);
  if (detached_) {
    return;
  }
  if (!counting()) {
    if (sampling_) {
      sampling_->drain();
    }
    flush_activity(*api_, false);
    return;
  }
  // Never beside a launch that is being counted.
  const AllGates alone(gates_, writer_patience);
  if (!alone) {
    return;
  }
  {
    const MeasuringTime::Span span(measuring_);
    const std::lock_guard<std::mutex> lock(state_);
    const auto now = std::chrono::steady_clock::now();
    bool read_any = false;
    bool replayed_any = false;
    for (auto& [handle, context] : contexts_) {
      const auto since = context.counters ? context.counters->unread_since() : std::nullopt;
      if (since && now - *since > read_after_) {
        const CurrentContext current(handle);
        pause_counters(context);
        read_any = true;
      }
    }
    read_ranges();
    for (auto& [handle, context] : contexts_) {
      if (context.replay && !context.replay->empty() &&
          now - context.replay->since() > replay_after_) {
        run_replay(context, handle, false);
        replayed_any = true;
      }
    }
    if (read_any) {
      read_after_ = std::min(read_after_ * 2, read_interval);
    }
    if (replayed_any) {
      replay_after_ = replay_interval;
    }
    if (!without_records()) {
      flush_activity(*api_, false);
    }
  }
  prepare_replays();
}

void InjectedTool::write_now_and_then() {
  watch_new_code();
  try {
    if (detour_) {
      detour_->work();
    }
    collect();
    check_detour();
    write(Recorder::Part::complete);
    if (exit_handlers_ < handlers_after_first_turn) {
      finish_replays_at_exit();
    }
  } catch (...) {  // out of memory; what was written stays
    const std::lock_guard<std::mutex> lock(writing_);
    give_up_journal(ENOMEM);
  }
}

void InjectedTool::write_the_rest(milliseconds gate_patience) {
  const MeasuringTime::Span span(measuring_);
  if (api_ != nullptr) {
    if (sampling_) {
      sampling_->finish();
    }
    if (const AllGates alone(gates_, gate_patience); alone) {
      const std::lock_guard<std::mutex> lock(state_);
      close_all();
    } else {
      recorder_.issue("counters.unavailable",
                      "A launch was still running when the program ended; the last counters are "
                      "lost.");
    }
    if (!detached_) {
      if (!without_records()) {
        flush_activity(*api_, true);
      }
      detour_launches_by(nullptr);
      stop_listening(*api_);
    }
    add_closing_issues();
  }
  write(Recorder::Part::everything);
}

// Steps that need ever more of the program to be sound: it may have crashed within a call of CUDA,
// or with a lock of ours, and then the time runs out in one of them.
void InjectedTool::write_finally(int end) {
  try {
    {
      const std::lock_guard<std::mutex> lock(writing_);
      if (journal_) {
        Session word;
        word.issues.push_back({end_code, early_end_text(end)});
        append(word);
      }
    }
    write(Recorder::Part::complete);
    collect();
    write(Recorder::Part::complete);
    finish_replays(early_end_patience);
    write_the_rest(early_end_patience);
  } catch (...) {
    // The journal ends here, and the session says so.
  }
}

void InjectedTool::finish() {
  writer_.stop();
  if (!writer_.has_finished()) {
    write_the_rest(exit_patience);
    writer_.all_is_written();
  }
}

}  // namespace ridgepoint::collector
