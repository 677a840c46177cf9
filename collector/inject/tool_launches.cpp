// The program's launches: which are counted, and how they keep out of each other's way.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "analyzer/core/text.h"
#include "collector/cupti/chip_name.h"
#include "collector/cupti/cupti_api.h"
#include "collector/cupti/pass_groups.h"
#include "collector/inject/nvtx_entry.h"
#include "collector/inject/tool.h"
#include "collector/profile/launch_key.h"
#include "collector/replay/own_calls.h"

namespace ridgepoint::collector {
namespace {

enum class Hold { nothing, shared, owned };
// One launch of this thread, from its callback before to its callback after.
struct LaunchInHand {
  Hold hold = Hold::nothing;
  ContextCounters* counters = nullptr;
  KernelReplay* replay = nullptr;  // waits to hear that it was made
  bool graph = false;
  bool expected = false;  // the recorder waits for its record
};
thread_local LaunchInHand in_hand;

}  // namespace

bool InjectedTool::needs_shape() const {
  return counting() || settings_.timing || nvtx_ranges().any_open();
}

void InjectedTool::before_launch(const LaunchCall& call) {
  if (call_depth++ > 0) {
    return;
  }
  in_hand = {};
  in_hand.graph = call.graph;
  std::call_once(writer_started_, [this] { writer_ = std::thread([this] { write_regularly(); }); });
  if (counting()) {
    count_launch(call);
    return;
  }
  if (settings_.timing) {
    time_launch(call);
    return;
  }
  // The activity record says all there is, except in which range the launch was made.
  if (call.graph || !nvtx_ranges().any_open()) {
    return;
  }
  const NvtxRanges::Place place = nvtx_ranges().place(this_thread());
  if (place.innermost != no_index) {
    in_hand.expected = true;
    Recorder::Expectation expectation;
    {
      const std::lock_guard<std::mutex> lock(state_);
      expectation.ordinal = see_context(call.context).ordinal;
    }
    expectation.shape = call.shape;
    expectation.range = place.innermost;
    recorder_.expect(call.correlation, std::move(expectation));
  }
}

bool InjectedTool::is_meant(const LaunchCall& call, std::uint32_t ordinal, bool in_range) {
  if (call.graph || !filter_.device_matches(ordinal) ||
      (filter_.ranges() != nullptr && !in_range)) {
    return false;
  }
  const KernelTraits& traits = traits_of(call.shape.mangled);
  return traits.matches && filter_.timing_matches(traits.key, call.shape.grid, call.shape.block);
}

// A first run: how long the launches take that the filters let through.
void InjectedTool::time_launch(const LaunchCall& call) {
  const NvtxRanges::Place place = nvtx_ranges().place(this_thread());
  Recorder::Expectation expectation;
  {
    const std::lock_guard<std::mutex> lock(state_);
    expectation.ordinal = see_context(call.context).ordinal;
    if (!is_meant(call, expectation.ordinal, place.matches)) {
      return;
    }
  }
  expectation.shape = call.shape;
  in_hand.expected = true;
  recorder_.expect(call.correlation, std::move(expectation));
}

void InjectedTool::count_launch(const LaunchCall& call) {
  if (counted_all_) {
    return;
  }
  if (is_captured(call)) {
    in_hand.graph = true;  // it becomes a node of one, and runs when that is launched
    return;
  }
  const NvtxRanges::Place place = nvtx_ranges().place(this_thread());
  bool chosen = false;
  {
    const std::lock_guard<std::mutex> lock(state_);
    const std::uint32_t ordinal = see_context(call.context).ordinal;
    chosen = is_meant(call, ordinal, place.matches) && filter_.take(call.shape.mangled, ordinal);
  }
  if (!chosen) {
    pass_unchosen(call);
    return;
  }
  ++chosen_;
  launches_.lock();
  in_hand.hold = Hold::owned;
  const std::lock_guard<std::mutex> lock(state_);
  replayed_in_call_ = false;
  Context& context = see_context(call.context);
  const CounterSets* sets = sets_for(context.chip);
  const CounterSet* set = sets == nullptr ? nullptr : &sets->chosen;
  Recorder::Expectation expectation;
  expectation.ordinal = context.ordinal;
  expectation.shape = call.shape;
  expectation.range = place.innermost;
  if (set != nullptr && needs_replay(*set)) {
    const Way way = traits_of(call.shape.mangled).may_replay
                        ? save_for_replay(context, call.context, call)
                        : Way::one_pass;
    if (way == Way::replay) {
      in_hand.replay = context.replay.get();
    } else {
      ++not_replayed_;
      set = way == Way::one_pass ? sets->one_pass() : nullptr;
    }
  }
  if (in_hand.replay == nullptr && set != nullptr && enter_counters(context, call.context, *set)) {
    in_hand.counters = &*context.counters;
  }
  expectation.counters = in_hand.replay != nullptr || in_hand.counters != nullptr;
  if (in_hand.counters == nullptr) {
    pause_counters();  // it would be counted all the same
  }
  if (replayed_in_call_) {
    // Stopping the profiler, the last thing a replay does, takes several milliseconds.
    expectation.not_before_ns = wall_clock_ns() - std::int64_t{1000000};
  }
  if (without_records()) {
    // There is no record of when it ran. When it was launched keeps the order; how long it took is
    // a counter.
    expectation.shape.start_ns = expectation.shape.end_ns = wall_clock_ns();
    if (const Result<const DriverApi*> driver = loaded_driver()) {
      KernelLaunch::describe(**driver, call.id, call.parameters, expectation.shape);
    }
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
  if (--call_depth > 0) {
    return;
  }
  const LaunchInHand launch = std::exchange(in_hand, {});
  if (launched && !launch.graph) {
    ++launched_;
  }
  if (launch.expected && !launched) {
    recorder_.forget(correlation);
  } else if (launch.expected) {
    recorder_.made(correlation);
  }
  if (launch.graph && launched && counting()) {
    recorder_.issue_once("profile.graphs",
                         "The program launched CUDA graphs. Their kernels were not counted: "
                         "counters are taken of kernels that are launched one by one.");
  }
  if (launch.counters != nullptr || launch.replay != nullptr) {
    const std::lock_guard<std::mutex> lock(state_);
    if (launch.replay != nullptr) {
      launch.replay->made(correlation, launched);
      if (launch.replay->full()) {
        run_replays(true);
      }
    } else if (const Status left = launch.expected ? launch.counters->leave(correlation, launched)
                                                   : launch.counters->leave_unchosen(launched);
               !left) {
      add_error("counters.unavailable", left.error());
    }
    if (filter_.exhausted()) {
      // Nothing more will be counted: give the counters back, so that the rest runs undisturbed.
      close_all();
      counted_all_ = true;
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
    const Result<std::string> chip = chip_name(*api_, static_cast<int>(context.ordinal));
    if (chip) {
      context.chip = *chip;
    } else {
      add_error("counters.unavailable", chip.error());
    }
  }
  return context;
}

const InjectedTool::KernelTraits& InjectedTool::traits_of(const std::string& mangled) {
  const auto [place, is_new] = kernels_.try_emplace(mangled);
  if (is_new) {
    const std::string name = demangle(mangled);
    place->second = {filter_.kernel_matches(name), filter_.may_replay(name),
                     kernel_key(printable(mangled))};
  }
  return place->second;
}

Result<CounterSets> InjectedTool::choose_sets(const std::string& chip) {
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
    return tl::make_unexpected(chosen.error());
  }
  if (!chosen->choice.refused.empty()) {
    recorder_.issue_once("counters.refused",
                         fmt::format("This CUPTI does not have, for chip {}: {}", chip,
                                     fmt::join(chosen->choice.refused, ", ")));
  }
  CounterSets sets{std::move(*chosen), 1, std::nullopt};
  if (by_runs()) {
    const Result<PassGroups> passes = group_by_pass(*api_, chip, *sets.chosen.names);
    if (!passes) {
      return tl::make_unexpected(passes.error());
    }
    if (!passes->too_wide.empty()) {
      recorder_.issue_once("counters.too_wide",
                           fmt::format("Take several passes each, which --replay {} cannot put "
                                       "together: {}",
                                       settings_.replay, fmt::join(passes->too_wide, ", ")));
    }
    if (settings_.pass >= passes->groups.size()) {
      return fail(ErrorDomain::device, "choosing the counters of chip " + chip,
                  passes->groups.empty() ? "none of them fits in one pass"
                                         : "this chip needs fewer passes than another");
    }
    Result<CounterSet> group = choose("custom", passes->groups[settings_.pass]);
    if (!group) {
      return tl::make_unexpected(group.error());
    }
    sets.chosen = std::move(*group);
    sets.runs = passes->groups.size();
  }
  if (needs_replay(sets.chosen) || by_runs()) {
    add_control(sets.chosen, chip);
  }
  if (sets.one_pass() == nullptr) {
    Result<CounterSet> lite = choose("lite", {});
    if (lite && lite->choice.plan.passes == 1) {
      sets.lite.emplace(std::move(*lite));
    }
  }
  return sets;
}

const CounterSets* InjectedTool::sets_for(const std::string& chip) {
  if (const auto known = sets_.find(chip); known != sets_.end()) {
    return &known->second;
  }
  if (chip.empty() || chips_refused_.count(chip) != 0) {
    return nullptr;
  }
  Result<CounterSets> sets = choose_sets(chip);
  if (!sets) {
    chips_refused_.insert(chip);
    add_error("counters.unavailable", sets.error());
    return nullptr;
  }
  return &sets_.emplace(chip, std::move(*sets)).first->second;
}

bool InjectedTool::enter_counters(Context& context, CUctx_st* handle, const CounterSet& set) {
  if (context.refused) {
    return false;
  }
  if (context.replay) {  // one profiler a context
    static_cast<void>(context.replay->close_counters());
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

void InjectedTool::close_counters(Context& context) {
  if (context.counters) {
    if (const Status closed = context.counters->close(); !closed) {
      add_error("counters.unavailable", closed.error());
    }
    if (context.counters->missed_patching()) {
      recorder_.issue_once("counters.not_patched", not_patched_text);
    }
    context.counters.reset();
  }
}

void InjectedTool::before_context_ends(CUctx_st* handle) {
  if (call_depth > 0) {
    return;
  }
  if (sampling_) {
    sampling_->context_ends(handle);
  }
  // A launch of another thread keeps its own context alive; waiting for it cannot fail for long.
  const std::lock_guard<std::shared_timed_mutex> alone(launches_);
  const std::lock_guard<std::mutex> lock(state_);
  const auto found = contexts_.find(handle);
  if (found == contexts_.end()) {
    return;
  }
  run_replay(found->second, handle, true);
  close_counters(found->second);
  if (found->second.replay) {
    const OwnCalls own(*driver_);
    found->second.replay->close();
  }
  contexts_.erase(found);
  const std::lock_guard<std::mutex> memory(memory_mutex_);
  memory_.remove_context(handle);
}

}  // namespace ridgepoint::collector
