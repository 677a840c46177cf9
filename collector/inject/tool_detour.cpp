// A timeline of launches that come too fast to be recorded: by which way they are heard, and
// whether all of them were.
#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

#include "collector/cupti/cupti_api.h"
#include "collector/inject/current_context.h"
#include "collector/inject/launch_line.h"
#include "collector/inject/launch_wrappers.h"
#include "collector/inject/nvtx_entry.h"
#include "collector/inject/tool.h"

namespace ridgepoint::collector {

GridNumbers::SoFar InjectedTool::launches_so_far() const {
  return {launched_, untimed_->count()};
}

// Samples are taken of a run in which nothing else is changed.
void InjectedTool::start_detour() {
  const bool samples = settings_.stalls || settings_.pm_interval_ns > 0;
  const std::optional<std::vector<LaunchDetour::Function>> functions =
      settings_.timeline.callbacks_only || samples ? std::nullopt : launch_wrappers();
  if (!functions) {
    return;
  }
  LaunchDetour::Hooks hooks;
  hooks.hear = [this](bool on) { return hear_plain_launches_or_not(on); };
  hooks.list = [this](const HeardLaunch& launch, Stretch::Word stretch) {
    return list_plain_launch(launch, stretch);
  };
  hooks.listed = [this](UntimedLaunches::Thread& thread, bool launched) {
    left_untimed(thread, launched);
  };
  hooks.repeat_failed = [this] { grids_->others(GridNumbers::of_a_failed_launch); };
  hooks.current_context = context_of_this_thread;
  hooks.work_waits = [this] { writer_.wake(); };
  // The driver and CUPTI call each other by pointers of their own.
  detour_.emplace(std::move(hooks), *functions,
                  std::vector{reinterpret_cast<std::uintptr_t>(functions->front().real),
                              reinterpret_cast<std::uintptr_t>(api_->cuptiSubscribe)},
                  launch_line.stretch);
  detour_launches_by(&*detour_);
}

UntimedLaunches::Thread* InjectedTool::list_plain_launch(const HeardLaunch& launch,
                                                         Stretch::Word stretch) {
  if (capturing_ > 0 || !pace_->enter_listed(launch, untimed_->take_repeats())) {
    return nullptr;
  }
  UntimedLaunches::Thread& thread = untimed_->begin(launch, range_of_launch_here());
  if (!has_attributes(launch.id, launch.parameters)) {
    UntimedLaunches::may_repeat(thread, plain_launch(launch.id, launch.parameters), stretch);
  }
  return &thread;
}

// Nor will one begin that callbacks do not tell of.
bool InjectedTool::no_launch_repeats() {
  ways_to_launch_change(false);
  return !detour_ || !untimed_->any_repeats();
}

bool InjectedTool::hear_plain_launches_or_not(bool hear) {
  const auto listed = static_cast<std::int64_t>(untimed_->count());
  const std::int64_t since = detour_since_.exchange(hear ? -1 : listed);
  detoured_ += hear && since >= 0 ? static_cast<std::uint64_t>(listed - since) : 0;
  const bool done = hear_plain_launches(*api_, hear);
  if (hear && !done) {
    recorder_.issue_once(
        "timeline.records_missing",
        "CUPTI refused to tell of launches again: from there on some are missing.");
  }
  return done;
}

// While records are on their way nothing is compared, and the next time is early enough.
void InjectedTool::check_detour() {
  if (!detour_ || gave_detour_up_) {
    return;
  }
  const GridNumbers::Comparison compared = grids_->compare(launched_);
  if (!compared.agrees()) {
    gave_detour_up_ = true;
    detour_->give_up();
    detour_->work();
  }
}

void InjectedTool::ways_to_launch_change(bool handles_end) {
  if (detour_) {
    detour_->code_changes(handles_end);
  }
}

void InjectedTool::add_sampled_issues(std::uint64_t untimed) {
  const std::uint64_t timed = launched_;
  const std::int64_t since = detour_since_;
  const std::uint64_t detoured =
      detoured_ + (since >= 0 ? untimed - static_cast<std::uint64_t>(since) : 0);
  const GridNumbers::Comparison compared = grids_->compare(timed);
  std::string text = fmt::format(
      "The program launched kernels faster than one in {} us, where taking the GPU time of each "
      "would slow it down: of {} launches {} have a time, the others are listed without. The time "
      "of a "
      "kernel is the mean of those that have one, times its launches. --every-launch takes the "
      "time of all.",
      LaunchPace::fast_launch_ns / 1000, timed + untimed, timed);
  if (detoured != 0) {
    text += fmt::format(
        " {} launches were heard without CUPTI's callbacks, by the program's pointers to the "
        "driver; of {} without a time CUPTI's numbers could tell whether all are listed.",
        detoured, compared.listed);
  }
  recorder_.issue("timeline.sampled", std::move(text));
}

}  // namespace ridgepoint::collector
