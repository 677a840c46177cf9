// --replay range: NVTX ranges of the filter, each counted as a whole on every device it may use.
#include <algorithm>
#include <utility>

#include "analyzer/session/range_row.h"
#include "collector/cupti/cupti_api.h"
#include "collector/inject/current_context.h"
#include "collector/inject/nvtx_entry.h"
#include "collector/inject/tool.h"

namespace ridgepoint::collector {
namespace {

constexpr std::chrono::seconds read_interval{1};

std::string row_name(const std::string& domain, const std::string& name) {
  return std::string(range_row_prefix) + (domain.empty() ? name : domain + "@" + name);
}

}  // namespace

void InjectedTool::range_opened(std::int64_t index, const std::string& domain,
                                const std::string& name) {
  if (counted_all_) {
    return;
  }
  std::int64_t none = no_index;
  if (!range_in_hand_.compare_exchange_strong(none, index)) {
    ++ranges_passed_;
    return;
  }
  const MeasuringTime::Span span(measuring_);
  if (capturing_ > 0) {
    range_in_hand_ = no_index;
    recorder_.issue_once("range.capture",
                         "Ranges that open while a stream is being captured were not counted.");
    return;
  }
  if (CUctx_st* own = context_of_this_thread()) {
    gates_.of(own);
  }
  const std::vector<CUctx_st*> contexts = gates_.contexts();
  if (contexts.empty()) {
    range_in_hand_ = no_index;
    range_without_context();
    return;
  }
  // What was launched before is not the range's.
  if (!wait_for(contexts)) {
    range_in_hand_ = no_index;
    recorder_.issue_once("range.waits",
                         "Ranges were not counted because what was launched before them did not "
                         "end within --replay-timeout.");
    return;
  }
  const std::string row = row_name(domain, name);
  const std::lock_guard<std::mutex> lock(state_);
  if (!filter_.take(row, 0)) {
    range_in_hand_ = no_index;
    return;
  }
  for (CUctx_st* handle : contexts) {
    open_range(handle, index, row);
  }
}

void InjectedTool::range_without_context() {
  recorder_.issue_once("range.no_context",
                       "Ranges that opened before the program used a GPU were not counted: there "
                       "was no context yet to count in.");
}

bool InjectedTool::wait_for(const std::vector<CUctx_st*>& contexts) {
  return std::all_of(contexts.begin(), contexts.end(), [&](CUctx_st* handle) {
    const CurrentContext current(handle);
    return gates_.of(handle).idle.wait(handle, patience());
  });
}

// A range ends and its kernels do not: they may wait for what the program does next, and CUPTI
// would wait for them. The range stays open to the end of the program, and counts nothing.
void InjectedTool::give_up_ranges() {
  counted_all_ = true;
  for (auto& [handle, context] : contexts_) {
    if (context.ranges && context.ranges->is_open()) {
      recorder_.no_counters(context.ranges->newest());
    }
  }
  recorder_.issue_once("range.waits",
                       "The kernels of a range did not end within --replay-timeout of its end: "
                       "neither it nor a later one was counted.");
}

void InjectedTool::open_range(CUctx_st* handle, std::int64_t index, const std::string& name) {
  Context& context = see_context(handle);
  const CounterSets* sets = sets_for(context.chip);
  if (sets == nullptr || context.refused || !filter_.device_matches(context.ordinal)) {
    return;
  }
  const CurrentContext current(handle);
  if (!context.ranges) {
    Result<ContextRanges> ranges = ContextRanges::create(*api_, handle, sets->chosen, recorder_);
    if (!ranges) {
      context.refused = true;
      add_error("counters.unavailable", ranges.error());
      return;
    }
    context.ranges.emplace(std::move(*ranges));
  }
  Recorder::Expectation expectation;
  expectation.ordinal = context.ordinal;
  expectation.shape.mangled = name;
  expectation.shape.start_ns = expectation.shape.end_ns = wall_clock_ns();
  expectation.range = index;
  expectation.counters = true;
  const std::uint32_t number = ++range_number_;
  recorder_.expect(number, std::move(expectation));
  ++chosen_;
  if (const Status opened = context.ranges->open(number); !opened) {
    context.refused = true;
    recorder_.no_counters(number);
    add_error("counters.unavailable", opened.error());
  }
}

void InjectedTool::range_closes(std::int64_t index) {
  if (range_in_hand_ != index) {
    return;
  }
  const MeasuringTime::Span span(measuring_);
  const bool idle = wait_for(gates_.contexts());
  {
    const std::lock_guard<std::mutex> lock(state_);
    if (!idle) {
      give_up_ranges();
      return;
    }
    for (auto& [handle, context] : contexts_) {
      if (context.ranges && context.ranges->is_open()) {
        const CurrentContext current(handle);
        if (const Status shut = context.ranges->shut(); !shut) {
          add_error("counters.unavailable", shut.error());
        }
      }
    }
    if (filter_.exhausted()) {
      close_all();
      counted_all_ = true;
      may_detach_ = true;
    }
  }
  range_in_hand_ = no_index;
}

void InjectedTool::read_ranges() {
  const auto now = std::chrono::steady_clock::now();
  for (auto& [handle, context] : contexts_) {
    const auto since = context.ranges ? context.ranges->unread_since() : std::nullopt;
    if (since && !context.ranges->is_open() && now - *since > read_interval) {
      const CurrentContext current(handle);
      if (const Status read = context.ranges->read(); !read) {
        add_error("counters.unavailable", read.error());
      }
    }
  }
}

void InjectedTool::close_ranges(Context& context) {
  if (!context.ranges) {
    return;
  }
  if (const Status closed = context.ranges->close(); !closed) {
    add_error("counters.unavailable", closed.error());
  }
  if (context.ranges->missed_patching()) {
    recorder_.issue_once("counters.not_patched", not_patched_text);
  }
  context.ranges.reset();
}

}  // namespace ridgepoint::collector
