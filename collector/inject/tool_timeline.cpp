// A timeline: launches that CUPTI records, or that are too fast for it.
#include <fmt/format.h>

#include "analyzer/session/whole_graph.h"
#include "collector/cupti/cupti_api.h"
#include "collector/inject/activity.h"
#include "collector/inject/launch_parameters.h"
#include "collector/inject/nvtx_entry.h"
#include "collector/inject/tool.h"
#include "collector/inject/tool_in_hand.h"
#include "collector/replay/own_calls.h"

namespace ridgepoint::collector {

Status InjectedTool::start_records() {
  const bool whole_graphs = takes_timeline() && !settings_.timeline.graph_nodes;
  Status started = start_activity(*api_, recorder_, takes_timeline());
  if (started && whole_graphs) {
    grids_.emplace();
    rare_records_.emplace(*api_, &*grids_);
  }
  // The kernels of a graph come when they come: records stay on for them.
  if (started && whole_graphs && !settings_.timeline.every_launch) {
    untimed_.emplace(*api_, wall_clock_ns);
    number_grids(&*grids_);
    LaunchPace::Hooks hooks;
    hooks.record = [this](bool on) {
      on ? grids_->on(launches_so_far()) : grids_->off(launches_so_far());
      return record_kernels(*api_, on);
    };
    hooks.quiet = [this] { return no_launch_repeats(); };
    hooks.keeps_up = [this](const HeardLaunch& launch) { return gpu_keeps_up(launch); };
    hooks.listed = [this](bool settled) {
      rare_records_->only_launches();
      if (detour_) {
        detour_->block_ended(settled && capturing_ == 0);
      }
    };
    hooks.comes_fast = [this] {
      if (detour_) {
        detour_->look_ahead();
      }
    };
    hooks.last_records = [this] { grids_->last_stretch_begins(); };
    pace_.emplace(std::move(hooks), wall_clock_ns);
    start_detour();
  }
  return started;
}

// Where no chip gives counters, records are in the way of none, and give launches their times.
void InjectedTool::record_instead() {
  if (!may_replay() || recorded_instead_ || !sets_.empty()) {
    return;
  }
  if (const Status started = start_records(); !started) {
    add_error("cupti.unavailable", started.error());
    return;
  }
  recorded_instead_ = true;
  recorder_.expect_records();
}

// Stall samples are wanted of kernels as they run side by side; records would keep them apart.
bool InjectedTool::gpu_keeps_up(const HeardLaunch& launch) const {
  const Result<const DriverApi*> driver = loaded_driver();
  if (sampling_ || !driver) {
    return true;
  }
  if (capturing_ > 0) {
    return false;  // asking could spoil a capture
  }
  // A launch takes the GPU a few microseconds to begin.
  constexpr std::chrono::nanoseconds patience(3 * LaunchPace::fast_launch_ns);
  const OwnCalls own(**driver);
  const LaunchStream stream = stream_of_launch(launch.id, launch.parameters);
  const auto end = std::chrono::steady_clock::now() + patience;
  CUresult code = CUDA_ERROR_NOT_READY;
  while (code == CUDA_ERROR_NOT_READY && std::chrono::steady_clock::now() < end) {
    code = (*driver)->stream_query(
        stream.per_thread && stream.stream == nullptr ? CU_STREAM_PER_THREAD : stream.stream);
  }
  return code != CUDA_ERROR_NOT_READY;
}

// Whether nothing more is to be done about the launch: it is listed and not recorded, as most
// launches are of a program that does little else. What is done here, each of them pays.
bool InjectedTool::list_launch(const HeardLaunch& launch) {
  if (launch.graph || is_captured(launch)) {
    return false;
  }
  if (pace_->enter(launch)) {
    in_hand.paced = true;
    return false;
  }
  in_hand.untimed = &untimed_->begin(launch, range_of_launch_here());
  return !sampling_over_time_;
}

void InjectedTool::left_untimed(UntimedLaunches::Thread& thread, bool launched) {
  if (launched) {
    UntimedLaunches::made(thread);
  } else {
    grids_->others(GridNumbers::of_a_failed_launch);
  }
  pace_->left();
}

void InjectedTool::record_launch(const LaunchCall& call) {
  if (in_hand.untimed != nullptr) {
    return;
  }
  if (!in_hand.paced && is_captured(call)) {
    in_hand.captured = true;  // it becomes a node of a graph, and runs when that is launched
    return;
  }
  if (call.graph && call.parameters != nullptr) {
    conditional_graphs_.launched(
        static_cast<const LaunchGraphParameters*>(call.parameters)->executable);
  }
  const std::int64_t range = range_of_launch_here();
  // The activity record says all there is, except in which range the launch was made. Of a graph
  // whose nodes are recorded there are many records, and none of it.
  if (range == no_index || (call.graph && settings_.timeline.graph_nodes)) {
    return;
  }
  in_hand.expected = true;
  Recorder::Expectation expectation;
  {
    const std::lock_guard<std::mutex> lock(state_);
    expectation.ordinal = see_context(call.context).ordinal;
  }
  expectation.shape = call.shape;
  if (call.graph) {
    expectation.shape.mangled = fmt::format("{}]", whole_graph_name);
  }
  expectation.range = range;
  recorder_.expect(call.correlation, std::move(expectation));
}

void InjectedTool::see_graph(const MemoryCall& call) {
  // A driver that lacks functions is older than conditional nodes.
  if (const Result<const DriverApi*> driver = loaded_driver()) {
    const OwnCalls own(**driver);
    conditional_graphs_.instantiated(**driver, call.graph, call.executable);
  }
}

void InjectedTool::add_timeline_issues() {
  const std::uint64_t untimed = untimed_ ? untimed_->count() : 0;
  const std::uint64_t timed = launched_;
  const std::uint64_t recorded = recorder_.records_seen() - graph_kernels();
  if (untimed != 0) {
    add_sampled_issues(untimed);
  }
  if (recorded != timed) {
    recorder_.issue("timeline.records_missing",
                    fmt::format("The program launched {} kernels{}; CUPTI delivered {} records.",
                                timed, untimed != 0 ? " to be recorded" : "", recorded));
  }
  add_unlisted_issue();
  if (rare_records_ && rare_records_->refused()) {
    recorder_.issue("timeline.records_missing",
                    "CUPTI refused to record copies and fills again: some are missing.");
  }
  if (graphs_launched_ != 0) {
    add_graph_issues();
  }
}

void InjectedTool::add_unlisted_issue() {
  const GridNumbers::Comparison compared =
      grids_ ? grids_->compare(launched_) : GridNumbers::Comparison();
  if (compared.agrees()) {
    return;
  }
  std::string text = fmt::format(
      "Where launches were listed without a record, CUPTI numbered {} kernels, and {} launches are "
      "listed",
      compared.numbered, compared.listed);
  if (compared.others != 0) {
    text += fmt::format("; copies, fills and launches that failed took {} numbers at most",
                        compared.others);
  }
  if (compared.numbered < compared.listed) {
    text += ". Some of these have not run.";
  } else if (detour_) {
    text +=
        ". The rest came by a way that was not listened to (--listen callbacks hears of every "
        "launch), or a kernel launched them, or the driver itself.";
  } else {
    text += ". No callback told of the rest: a kernel launched them, or the driver itself.";
  }
  recorder_.issue("timeline.unlisted_launches", std::move(text));
}

void InjectedTool::add_graph_issues() {
  if (!settings_.timeline.graph_nodes) {
    recorder_.issue("timeline.graphs",
                    fmt::format("The program launched CUDA graphs, {} times: each is listed as "
                                "one, without the kernels in it. --graphs node records those.",
                                graphs_launched_.load()));
  }
  // CUPTI gives the rounds of a loop another correlation than the launch (15 of 15 had their
  // records on an H200), so that more is not too many.
  const auto graphs = graph_launches();
  const bool wrong = graphs && (conditional_graphs_.were_launched() ? *graphs < graphs_launched_
                                                                    : *graphs != graphs_launched_);
  if (wrong) {
    recorder_.issue("timeline.records_missing",
                    fmt::format("The program launched CUDA graphs {} times; CUPTI delivered "
                                "records of {} of these.",
                                graphs_launched_.load(), *graphs));
  }
  if (conditional_graphs_.were_launched()) {
    recorder_.issue("timeline.conditional_graphs",
                    conditional_graphs_.what_is_known(settings_.timeline.graph_nodes
                                                          ? std::optional(graph_kernels())
                                                          : std::nullopt));
  }
}

}  // namespace ridgepoint::collector
