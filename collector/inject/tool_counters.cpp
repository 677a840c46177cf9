// Which counters a chip gives in this run, and the profiler of each context that takes them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "collector/cupti/pass_groups.h"
#include "collector/inject/tool.h"

namespace ridgepoint::collector {

void InjectedTool::add_control(CounterSet& set, const std::string& chip) {
  std::vector<std::string> counters = *set.names;
  if (std::none_of(counters.begin(), counters.end(), needs_patching)) {
    return;
  }
  counters.emplace_back(patching_control);
  Result<CounterChoice> more =
      choose_counters(*api_, chip, "custom", counters, settings_.data_folder);
  if (more && more->plan.passes == set.choice.plan.passes) {
    more->refused = std::move(set.choice.refused);
    set.choice = std::move(*more);
  }
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
      // Fewer passes than another chip of the machine needs are no trouble.
      return fail(passes->groups.empty() ? ErrorDomain::device : ErrorDomain::verdict,
                  "choosing the counters of chip " + chip, "none of them fits in one pass");
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
    if (sets.error().domain != ErrorDomain::verdict) {
      add_error("counters.unavailable", sets.error());
    }
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
  context.gate->started = true;
  return true;
}

void InjectedTool::pause_counters(Context& context) {
  if (context.counters) {
    if (const Status paused = context.counters->pause(); !paused) {
      add_error("counters.unavailable", paused.error());
    }
  }
  context.gate->started = false;
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
    context.gate->started = false;
  }
}

}  // namespace ridgepoint::collector
