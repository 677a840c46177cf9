#include "collector/inject/tool.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <iterator>
#include <utility>

#include "analyzer/core/text.h"
#include "analyzer/session/journal.h"
#include "collector/cupti/cupti_api.h"
#include "collector/cupti/cupti_error.h"
#include "collector/cupti/cupti_library.h"
#include "collector/inject/activity.h"
#include "collector/inject/driver_device.h"
#include "collector/inject/nvtx_entry.h"
#include "collector/profile/output_name.h"
#include "collector/profile/seal.h"

namespace ridgepoint::collector {
namespace {

constexpr std::chrono::milliseconds write_interval{500};
// A killed process loses at most the counters of this long.
constexpr std::chrono::seconds read_interval{1};
// How long the writer waits for a moment without a counted launch.
constexpr std::chrono::milliseconds writer_patience{100};
// How long exit() waits for a launch that another thread has in hand.
constexpr std::chrono::seconds exit_patience{10};

enum class Hold { nothing, shared, owned };
// One launch of this thread, from its callback before to its callback after.
struct LaunchInHand {
  Hold hold = Hold::nothing;
  ContextCounters* counters = nullptr;
  bool graph = false;
  bool expected = false;  // the recorder waits for its record
};
// CUPTI replays a kernel from inside the launch; should that call back, it is not the program's.
thread_local int depth = 0;
thread_local LaunchInHand in_hand;

std::uint64_t this_thread() {
  return static_cast<std::uint64_t>(gettid());
}

Result<std::string> chip_of(const CuptiApi& api, std::uint32_t ordinal) {
  // Asked for before this, the name crashes CUPTI 13.0.
  RIDGEPOINT_CUPTI_PARAMS(CUpti_Profiler_Initialize, initialize);
  if (const auto code = api.cuptiProfilerInitialize(&initialize); code != CUPTI_SUCCESS) {
    return cupti_failure(api, code, "opening CUPTI's profiler");
  }
  RIDGEPOINT_CUPTI_PARAMS(CUpti_Device_GetChipName, params);
  params.deviceIndex = ordinal;
  if (const auto code = api.cuptiDeviceGetChipName(&params); code != CUPTI_SUCCESS) {
    return cupti_failure(api, code, "asking CUPTI for the chip's name");
  }
  return std::string(params.pChipName == nullptr ? "" : params.pChipName);
}

bool nothing_happened(const Session& part) {
  return part.launches.empty() && part.memory_operations.empty() && part.issues.empty();
}

bool is_empty(const Session& part) {
  return nothing_happened(part) && part.ranges.empty() && part.range_ends.empty() &&
         part.devices.empty();
}

}  // namespace

InjectedTool::InjectedTool(ProfileSettings settings, LaunchFilter filter)
    : settings_(std::move(settings)),
      filter_(std::move(filter)),
      recorder_(settings_.counter_profile == "none" ? Recorder::Keep::every_launch
                                                    : Recorder::Keep::expected_launch) {}

void InjectedTool::start() {
  Result<const CuptiApi*> api = load_cupti(cupti_candidates());
  if (!api) {
    add_error("cupti.unavailable", api.error());
    return;
  }
  api_ = *api;
  // Before any code is loaded: switched on later, it makes CUPTI work through every loaded module.
  Status listening = start_activity(*api_, recorder_, !counting());
  if (listening) {
    listening = listen_to_launches(*api_, *this);
  }
  if (!listening) {
    add_error("cupti.unavailable", listening.error());
    api_ = nullptr;
  }
}

void InjectedTool::add_error(const char* code, const Error& error) {
  std::string text = error.what + ": " + error.why;
  if (!error.hint.empty()) {
    text += " (" + error.hint + ")";
  }
  recorder_.issue_once(code, printable(text));
}

void InjectedTool::before_launch(const LaunchCall& call) {
  if (depth++ > 0) {
    return;
  }
  in_hand = {};
  in_hand.graph = call.graph;
  std::call_once(writer_started_, [this] { writer_ = std::thread([this] { write_regularly(); }); });
  if (counting()) {
    count_launch(call);
    return;
  }
  std::uint32_t ordinal = 0;
  {
    const std::lock_guard<std::mutex> lock(state_);
    ordinal = see_context(call.context).ordinal;
  }
  const NvtxRanges::Place place = nvtx_ranges().place(this_thread());
  if (place.innermost != no_index && !call.graph) {
    in_hand.expected = true;
    Recorder::Expectation expectation;
    expectation.ordinal = ordinal;
    expectation.shape = call.shape;
    expectation.range = place.innermost;
    recorder_.expect(call.correlation, std::move(expectation));
  }
}

void InjectedTool::count_launch(const LaunchCall& call) {
  const NvtxRanges::Place place = nvtx_ranges().place(this_thread());
  bool chosen = false;
  KernelTraits traits;
  {
    const std::lock_guard<std::mutex> lock(state_);
    see_context(call.context);
    if (!call.graph) {
      traits = traits_of(call.shape.mangled);
      chosen = traits.matches && (!filter_.needs_range() || place.matches) && filter_.take();
    }
  }
  if (!chosen) {
    pass_unchosen(call);
    return;
  }
  ++chosen_;
  launches_.lock();
  in_hand.hold = Hold::owned;
  const std::lock_guard<std::mutex> lock(state_);
  Context& context = see_context(call.context);
  const CounterSets* sets = sets_for(context.chip);
  const CounterSet* set = sets == nullptr ? nullptr : sets->for_kernel(traits.may_replay);
  Recorder::Expectation expectation;
  expectation.ordinal = context.ordinal;
  expectation.shape = call.shape;
  expectation.range = place.innermost;
  if (set != nullptr && enter_counters(context, call.context, *set)) {
    in_hand.counters = &*context.counters;
    expectation.counters = true;
    expectation.times = set->replay() == Replay::user;
  }
  if (in_hand.counters == nullptr) {
    pause_counters();  // it would be counted, and replayed, all the same
  }
  if (!traits.may_replay && (set == nullptr || set != &sets->chosen)) {
    ++not_replayed_;
  }
  in_hand.expected = true;
  recorder_.expect(call.correlation, std::move(expectation));
}

void InjectedTool::pass_unchosen(const LaunchCall& call) {
  launches_.lock_shared();
  while (any_started_) {
    launches_.unlock_shared();
    launches_.lock();
    {
      const std::lock_guard<std::mutex> lock(state_);
      Context& context = see_context(call.context);
      // A graph's kernels would be ranges whose number nobody knows.
      if (!call.graph && context.counters && context.counters->tolerates_another()) {
        in_hand.counters = &*context.counters;
        in_hand.hold = Hold::owned;
        return;
      }
      pause_counters();
    }
    launches_.unlock();
    launches_.lock_shared();
  }
  in_hand.hold = Hold::shared;
}

void InjectedTool::after_launch(std::uint32_t correlation, bool launched) {
  if (--depth > 0) {
    return;
  }
  const LaunchInHand launch = std::exchange(in_hand, {});
  if (launched && !launch.graph) {
    ++launched_;
  }
  if (launch.expected && !launched) {
    recorder_.forget(correlation);
  }
  if (launch.graph && launched && counting()) {
    recorder_.issue_once("profile.graphs",
                         "The program launched CUDA graphs. Their kernels were not counted: "
                         "counters are taken of kernels that are launched one by one.");
  }
  if (launch.counters != nullptr) {
    const std::lock_guard<std::mutex> lock(state_);
    if (const Status left = launch.expected ? launch.counters->leave(correlation, launched)
                                            : launch.counters->leave_unchosen(launched);
        !left) {
      add_error("counters.unavailable", left.error());
    }
    if (filter_.exhausted()) {
      // Nothing more will be counted: give the counters back, so that the rest runs undisturbed.
      for (auto& [handle, context] : contexts_) {
        if (context.counters) {
          if (const Status closed = context.counters->close(); !closed) {
            add_error("counters.unavailable", closed.error());
          }
          context.counters.reset();
        }
      }
      any_started_ = false;
    }
  }
  switch (launch.hold) {
    case Hold::shared:
      launches_.unlock_shared();
      break;
    case Hold::owned:
      launches_.unlock();
      break;
    case Hold::nothing:
      break;
  }
}

InjectedTool::Context& InjectedTool::see_context(CUctx_st* handle) {
  const auto [place, is_new] = contexts_.try_emplace(handle);
  Context& context = place->second;
  if (!is_new) {
    return context;
  }
  if (api_->cuptiGetDeviceId(handle, &context.ordinal) != CUPTI_SUCCESS) {
    context.ordinal = 0;
    recorder_.issue_once("profile.device_unknown",
                         "CUPTI does not say which device a context is on; its launches are listed "
                         "under the first device.");
  }
  if (counting()) {
    const Result<std::string> chip = chip_of(*api_, context.ordinal);
    if (chip) {
      context.chip = *chip;
    } else {
      add_error("counters.unavailable", chip.error());
    }
  }
  return context;
}

void InjectedTool::describe_devices() {
  while (const std::optional<std::uint32_t> ordinal = recorder_.undescribed_device()) {
    Result<DeviceInfo> device = describe_driver_device(*ordinal);
    if (!device) {
      add_error("profile.device_unknown", device.error());
      device = DeviceInfo();
    }
    if (const Result<std::string> chip = chip_of(*api_, *ordinal)) {
      device->chip = *chip;
    }
    device->cupti_version = cupti_version_text(*api_);
    recorder_.describe_device(*ordinal, std::move(*device));
  }
}

const InjectedTool::KernelTraits& InjectedTool::traits_of(const std::string& mangled) {
  const auto [place, is_new] = kernels_.try_emplace(mangled);
  if (is_new) {
    const std::string name = demangle(mangled);
    place->second = {filter_.kernel_matches(name), filter_.may_replay(name)};
  }
  return place->second;
}

const CounterSets* InjectedTool::sets_for(const std::string& chip) {
  if (const auto known = sets_.find(chip); known != sets_.end()) {
    return &known->second;
  }
  if (chip.empty() || chips_refused_.count(chip) != 0) {
    return nullptr;
  }
  const auto choose = [&](const std::string& profile,
                          const std::vector<std::string>& counters) -> Result<CounterSet> {
    return choose_counters(*api_, chip, profile, counters, settings_.data_folder)
        .map([](CounterChoice&& choice) {
          auto names = std::make_shared<const std::vector<std::string>>(choice.plan.counters);
          return CounterSet{std::move(choice), std::move(names)};
        });
  };
  Result<CounterSet> chosen = choose(settings_.counter_profile, settings_.counters);
  if (!chosen) {
    chips_refused_.insert(chip);
    add_error("counters.unavailable", chosen.error());
    return nullptr;
  }
  if (!chosen->choice.refused.empty()) {
    recorder_.issue_once("counters.refused",
                         fmt::format("This CUPTI does not have, for chip {}: {}", chip,
                                     fmt::join(chosen->choice.refused, ", ")));
  }
  CounterSets sets{std::move(*chosen), std::nullopt};
  if (sets.chosen.replay() != Replay::user) {
    Result<CounterSet> lite = choose("lite", {});
    if (lite && lite->replay() == Replay::user) {
      sets.one_pass.emplace(std::move(*lite));
    }
  }
  return &sets_.emplace(chip, std::move(sets)).first->second;
}

bool InjectedTool::enter_counters(Context& context, CUctx_st* handle, const CounterSet& set) {
  if (context.refused) {
    return false;
  }
  if (!context.counters) {
    Result<ContextCounters> counters =
        ContextCounters::create(*api_, handle, sets_.at(context.chip), recorder_);
    if (!counters) {
      context.refused = true;
      add_error("counters.unavailable", counters.error());
      return false;
    }
    context.counters.emplace(std::move(*counters));
  }
  if (const Status entered = context.counters->enter(set); !entered) {
    context.refused = true;
    add_error("counters.unavailable", entered.error());
    return false;
  }
  any_started_ = true;
  return true;
}

void InjectedTool::pause_counters() {
  for (auto& [handle, context] : contexts_) {
    if (context.counters) {
      if (const Status paused = context.counters->pause(); !paused) {
        add_error("counters.unavailable", paused.error());
      }
    }
  }
  any_started_ = false;
}

void InjectedTool::before_context_ends(CUctx_st* handle) {
  const std::lock_guard<std::mutex> lock(state_);
  const auto found = contexts_.find(handle);
  if (found == contexts_.end()) {
    return;
  }
  if (found->second.counters) {
    if (const Status closed = found->second.counters->close(); !closed) {
      add_error("counters.unavailable", closed.error());
    }
  }
  contexts_.erase(found);
}

Policy InjectedTool::policy() const {
  Policy policy;
  policy.counter_profile = settings_.counter_profile;
  policy.replay_mode = "none";
  policy.clock_control = "none";
  policy.filters = filter_texts(settings_.filter);
  for (const auto& [chip, sets] : sets_) {
    policy.passes = static_cast<std::int64_t>(sets.chosen.choice.plan.passes);
    if (sets.chosen.replay() == Replay::user) {
      policy.cache_control =
          "left as the program left them: one pass counts each kernel where it runs";
    } else {
      policy.replay_mode = "kernel";
      policy.cache_control =
          "not controlled: CUPTI saves and restores device memory between the passes of a kernel, "
          "which leaves dirty lines in L2 (DRAM writes of short kernels read too high)";
    }
  }
  return policy;
}

void InjectedTool::write(Recorder::Part what) {
  const std::lock_guard<std::mutex> lock(writing_);
  if (journal_failed_) {
    return;
  }
  describe_devices();
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
  const bool first = !journal_.has_value();
  // A process that never touched a GPU, and met no trouble, leaves no file.
  if (first ? nothing_happened(part) : what == Recorder::Part::complete && is_empty(part)) {
    held_back_ = std::move(part);
    return;
  }
  if (what == Recorder::Part::everything) {
    part.issues.push_back(
        {complete_code, "The process came to its end; its records are complete."});
  }
  if (first) {
    const ProcessIdentity process = this_process();
    Result<JournalFile> journal = JournalFile::create(
        journal_path(expand_output(settings_.output, process), settings_.run_id, process.process));
    if (!journal) {
      journal_failed_ = true;
      return;
    }
    journal_.emplace(std::move(*journal));
    part.producer.version = settings_.version;
    part.producer.time_utc = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    part.producer.command_line = settings_.command_line;
    part.producer.mode = "profile";
    if (settings_.record_host) {
      part.producer.host = process.host;
    }
  }
  {
    const std::lock_guard<std::mutex> state(state_);
    Policy now = policy();
    const std::string key = fmt::format("{}|{}", now.replay_mode, now.passes);
    if (key != policy_written_ || first) {
      policy_written_ = key;
      part.policy = std::move(now);
    }
  }
  journal_failed_ = !journal_->append(part);
}

// What CUPTI holds back, so that it is not lost with the process.
void InjectedTool::collect() {
  if (!counting()) {
    flush_activity(*api_, false);
    return;
  }
  // Never beside a launch that is being counted.
  if (!launches_.try_lock_for(writer_patience)) {
    return;
  }
  {
    const std::lock_guard<std::mutex> lock(state_);
    const auto now = std::chrono::steady_clock::now();
    const bool overdue = std::any_of(contexts_.begin(), contexts_.end(), [&](const auto& entry) {
      const auto since =
          entry.second.counters ? entry.second.counters->unread_since() : std::nullopt;
      return since && now - *since > read_interval;
    });
    if (overdue) {
      pause_counters();
    }
  }
  flush_activity(*api_, false);
  launches_.unlock();
}

void InjectedTool::write_regularly() {
  std::unique_lock<std::mutex> lock(writer_mutex_);
  while (!writer_wakes_.wait_for(lock, write_interval, [this] { return finished_; })) {
    lock.unlock();
    try {
      collect();
      write(Recorder::Part::complete);
    } catch (...) {
      journal_failed_ = true;  // out of memory; what was written stays
    }
    lock.lock();
  }
}

void InjectedTool::add_closing_issues() {
  const std::uint64_t seen = launched_;
  const std::uint64_t recorded = recorder_.records_seen() - graph_kernels();
  if (!counting() && recorded != seen) {
    recorder_.issue("timeline.records_missing",
                    fmt::format("The program launched {} kernels; CUPTI delivered {} records.",
                                seen, recorded));
  }
  if (dropped_activity() != 0) {
    recorder_.issue(
        "timeline.dropped",
        fmt::format("CUPTI dropped {} records of kernels, copies or fills.", dropped_activity()));
  }
  if (counting() && seen > chosen_) {
    recorder_.issue("profile.not_chosen",
                    fmt::format("{} of {} launches were not chosen by the filters; they are not "
                                "listed.",
                                seen - chosen_, seen));
  }
  if (not_replayed_ != 0) {
    recorder_.issue("counters.not_replayed",
                    fmt::format("{} launches match --no-replay: they have the counters of one pass "
                                "only, or none.",
                                not_replayed_.load()));
  }
  if (nvtx_ranges().left_out() != 0) {
    recorder_.issue("nvtx.left_out", fmt::format("{} NVTX ranges beyond the limit were left out.",
                                                 nvtx_ranges().left_out()));
  }
}

void InjectedTool::finish() {
  {
    const std::lock_guard<std::mutex> lock(writer_mutex_);
    finished_ = true;
  }
  writer_wakes_.notify_all();
  if (writer_.joinable()) {
    writer_.join();
  }
  if (api_ != nullptr) {
    if (launches_.try_lock_for(exit_patience)) {
      const std::lock_guard<std::mutex> lock(state_);
      for (auto& [handle, context] : contexts_) {
        if (context.counters) {
          if (const Status closed = context.counters->close(); !closed) {
            add_error("counters.unavailable", closed.error());
          }
          context.counters.reset();
        }
      }
      launches_.unlock();
    } else {
      recorder_.issue("counters.unavailable",
                      "A launch was still running when the program ended; the last counters are "
                      "lost.");
    }
    flush_activity(*api_, true);
    stop_listening(*api_);
    add_closing_issues();
  }
  write(Recorder::Part::everything);
}

}  // namespace ridgepoint::collector
