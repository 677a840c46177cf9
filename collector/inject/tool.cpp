#include "collector/inject/tool.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "analyzer/core/text.h"
#include "collector/cupti/chip_name.h"
#include "collector/cupti/cupti_api.h"
#include "collector/cupti/cupti_library.h"
#include "collector/cupti/profiler_host.h"
#include "collector/inject/activity.h"
#include "collector/inject/driver_device.h"
#include "collector/inject/nvtx_entry.h"
#include "collector/profile/overhead.h"

namespace ridgepoint::collector {
namespace {

// Of counters that wait to be read, and of launches that wait for their replay: what a killed
// process loses of them at most, and in its first moments less.
constexpr std::chrono::milliseconds first_read{250};
// A replay takes half a second, of however few launches: long enough for a program that compiles
// what it launches next (JAX: about a second), so that all of it is replayed at once.
constexpr std::chrono::milliseconds first_replay{2000};

}  // namespace

InjectedTool::InjectedTool(ProfileSettings settings, LaunchFilter filter, void (*on_exit)())
    : settings_(std::move(settings)),
      on_exit_(on_exit),
      filter_(std::move(filter)),
      // Of the settings alone: members below the recorder, without_records() asks one, are not set.
      recorder_(settings_.timing            ? Recorder::Keep::expected_launch
                : !counting()               ? Recorder::Keep::every_launch
                : may_replay() || by_runs() ? Recorder::Keep::call_only
                                            : Recorder::Keep::expected_launch),
      read_after_(first_read),
      replay_after_(first_replay) {}

void InjectedTool::start() {
  const MeasuringTime::Span span(measuring_);
  Result<const CuptiApi*> api = load_cupti(cupti_candidates());
  if (!api) {
    add_error("cupti.unavailable", api.error());
    return;
  }
  api_ = *api;
  if (counting()) {
    // CUPTI loads its profiler library when it is first asked about counters; any question does,
    // and the host side needs no driver, which has not begun yet. Not beside the program: one that
    // ends meanwhile crashes, since the library's own exit handlers run first.
    static_cast<void>(supported_chips(*api_));
  }
  // Before any code is loaded: switched on later, it makes CUPTI work through every loaded module.
  // Not when kernels run again: CUPTI records a kernel by code that it adds when it first runs
  // outside of the profiler, and that stays. With it every kernel ran 8 instructions more a warp,
  // one of 59 us 6 % longer, and instructions by kind read 0 (H200, CUDA 13.0).
  Status listening = without_records() ? Status() : start_records();
  if (listening) {
    if (settings_.stalls) {
      sampling_ = std::make_unique<StallSampling>(*api_, recorder_, settings_.sampling_period_log2);
    }
    if (settings_.pm_interval_ns > 0) {
      sampling_over_time_ = std::make_unique<PmSampling>(*api_, recorder_, settings_.pm_interval_ns,
                                                         settings_.data_folder);
    }
    listening = listen_to_launches(
        *api_, *this, {counting(), !counting(), settings_.stalls, detour_.has_value()});
  }
  if (!listening) {
    add_error("cupti.unavailable", listening.error());
    api_ = nullptr;
  } else if (counts_ranges()) {
    if (nvtx_ranges().set_listener(this)) {
      range_without_context();
    }
  }
}

void InjectedTool::add_error(const char* code, const Error& error) {
  std::string text = error.what + ": " + error.why;
  if (!error.hint.empty()) {
    text += " (" + error.hint + ")";
  }
  recorder_.issue_once(code, printable(text));
}

void InjectedTool::context_created(CUctx_st* context) {
  if (detour_) {
    detour_->context_made();
  }
  if (sampling_) {
    sampling_->context_created(context);
    // CUPTI is about to register its own handlers, which run after this one.
    finish_replays_at_exit();
  }
}

void InjectedTool::module_unloads() {
  if (sampling_) {
    sampling_->module_unloads();
  }
}

void InjectedTool::describe_devices() {
  if (!recorder_.undescribed_device()) {
    return;
  }
  const std::lock_guard<std::mutex> lock(cupti_);
  if (!detached_) {  // which has described all that there were
    describe_devices_now();
  }
}

void InjectedTool::describe_devices_now() {
  while (const std::optional<std::uint32_t> ordinal = recorder_.undescribed_device()) {
    Result<DeviceInfo> device = describe_driver_device(*ordinal);
    if (!device) {
      add_error("profile.device_unknown", device.error());
      device = DeviceInfo();
    }
    // Else the launcher asks: CUPTI would load its profiler for this, in a thread of ours and
    // beside a program that may be about to end.
    if (counting() || sampling_over_time_) {
      device->chip = chip_name(*api_, static_cast<int>(*ordinal)).value_or("");
    }
    device->cupti_version = cupti_version_text(*api_);
    recorder_.describe_device(*ordinal, std::move(*device));
  }
}

Policy InjectedTool::policy(Recorder::Part part) const {
  Policy policy;
  // A timeline costs a little at each launch, which is not measured.
  if (part == Recorder::Part::everything && (counting() || sampling_over_time_)) {
    policy.run_s =
        std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch() -
                                      std::chrono::nanoseconds(settings_.started_ns))
            .count();
    policy.measuring_s = measuring_.seconds();
    set_overhead(policy);
  }
  policy.counter_profile = settings_.counter_profile;
  policy.replay_mode = "none";
  policy.clock_control = "none";
  policy.filters = filter_texts(settings_.filter);
  if (sampling_) {
    policy.pc_sampling_period_cycles = std::int64_t{1} << settings_.sampling_period_log2;
  }
  for (const auto& [chip, sets] : sets_) {
    policy.passes =
        static_cast<std::int64_t>(by_runs() ? sets.runs : sets.chosen.choice.plan.passes);
    if (needs_replay(sets.chosen)) {
      policy.replay_mode = "kernel";
      policy.cache_control = cache_control_text(cache_control(), empty_l2_);
    } else {
      policy.replay_mode = by_runs() ? settings_.replay : "none";
      policy.cache_control =
          "left as the program left them: one pass counts each kernel where it runs";
    }
  }
  return policy;
}

void InjectedTool::add_closing_issues() {
  const std::uint64_t seen = launched_;
  if (takes_timeline()) {
    add_timeline_issues();
  }
  if (sampling_over_time_) {
    sampling_over_time_->add_closing_issues();
  }
  if (dropped_activity() != 0) {
    recorder_.issue(
        "timeline.dropped",
        fmt::format("CUPTI dropped {} records of kernels, copies or fills.", dropped_activity()));
  }
  if (detached_) {
    recorder_.issue("profile.not_chosen",
                    fmt::format("Counting ended with the last launch that --launch-count let "
                                "through. {} of the {} launches until then were not chosen by the "
                                "filters; they and later ones are not listed.",
                                seen - chosen_, seen));
  } else if (counting() && !counts_ranges() && seen > chosen_) {
    recorder_.issue("profile.not_chosen",
                    fmt::format("{} of {} launches were not chosen by the filters; they are not "
                                "listed.",
                                seen - chosen_, seen));
  }
  if (ranges_passed_ != 0) {
    recorder_.issue("range.overlap",
                    fmt::format("{} ranges of the filter opened while another was counted; they "
                                "were not counted apart.",
                                ranges_passed_.load()));
  }
  if (not_replayed_ != 0) {
    recorder_.issue(
        "counters.not_replayed",
        fmt::format("{} launches were not run again (they match --no-replay, or another "
                    "issue says why): they have the counters of one pass only, or none.",
                    not_replayed_.load()));
  }
  if (nvtx_ranges().left_out() != 0) {
    recorder_.issue("nvtx.left_out", fmt::format("{} NVTX ranges beyond the limit were left out.",
                                                 nvtx_ranges().left_out()));
  }
}

}  // namespace ridgepoint::collector
