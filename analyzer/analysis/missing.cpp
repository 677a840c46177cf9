#include "analyzer/analysis/missing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "analyzer/analysis/latency.h"
#include "analyzer/core/grouped_digits.h"
#include "analyzer/session/counter_wish.h"

namespace ridgepoint {
namespace {

// Whether any counter holds any value; a column full of NaN is as absent as no column.
bool any_counter(const CounterTable& counters) {
  return std::any_of(counters.columns.begin(), counters.columns.end(), [](const auto& column) {
    return std::any_of(column.begin(), column.end(),
                       [](double value) { return !std::isnan(value); });
  });
}

void note_counters(const Session& session, const Analysis& analysis, std::vector<Issue>& issues) {
  if (analysis.kernels.empty()) {
    return;
  }
  if (!any_counter(session.counters)) {
    if (wanted_no_counters(session.producer, session.policy)) {
      return;
    }
    issues.push_back({"counters.absent",
                      "the session holds no counter values: traffic, FLOP, utilisation and what "
                      "binds a kernel are not known"});
    return;
  }
  const auto lacking = [&](const char* what, auto has) {
    const auto without = std::count_if(analysis.kernels.begin(), analysis.kernels.end(),
                                       [&](const KernelAnalysis& kernel) { return !has(kernel); });
    return without == 0
               ? std::string()
               : fmt::format("{} ({} of {} kernels)", what, grouped_count(without),
                             grouped_count(static_cast<std::int64_t>(analysis.kernels.size())));
  };
  const std::array<std::string, 5> parts = {
      lacking("the time", [](const KernelAnalysis& k) { return k.time_s.has_value(); }),
      lacking(
          "HBM bytes",
          [](const KernelAnalysis& k) { return k.traffic[MemoryLevel::hbm].total.has_value(); }),
      lacking("L2 bytes",
              [](const KernelAnalysis& k) { return k.traffic[MemoryLevel::l2].total.has_value(); }),
      lacking(
          "shared-memory bytes",
          [](const KernelAnalysis& k) { return k.traffic[MemoryLevel::smem].total.has_value(); }),
      lacking("FLOP", [](const KernelAnalysis& k) { return k.flop.total.has_value(); })};
  std::string list;
  for (const std::string& part : parts) {
    list += (list.empty() || part.empty() ? "" : ", ") + part;
  }
  if (!list.empty()) {
    issues.push_back({"counters.missing", "not measured: " + list});
  }
}

void note_latency(const VariantRun& run, std::vector<Issue>& issues) {
  const std::size_t usable = usable_timings(run.latency_s).size();
  if (usable == 0) {
    issues.push_back(
        {"latency.absent",
         fmt::format("{} has no usable timed repeat ({} recorded): its time, if any, is the sum of "
                     "its kernels' times while they were profiled, and no percentile is known",
                     run.name, run.latency_s.size())});
  } else if (usable < run.latency_s.size()) {
    issues.push_back({"latency.unusable",
                      fmt::format("{} of the {} timed repeats of {} are not positive times and are "
                                  "left out",
                                  run.latency_s.size() - usable, run.latency_s.size(), run.name)});
  }
}

}  // namespace

std::vector<Issue> note_missing(const Session& session, const Analysis& analysis) {
  std::vector<Issue> issues;
  note_counters(session, analysis, issues);
  if (session.attention) {
    for (const VariantRun& run : session.attention->variants) {
      note_latency(run, issues);
    }
  }
  return issues;
}

}  // namespace ridgepoint
