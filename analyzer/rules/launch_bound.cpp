#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "analyzer/core/grouped_digits.h"
#include "analyzer/rules/rule.h"

namespace ridgepoint {
namespace {

constexpr std::size_t enough_launches = 10;
constexpr std::int64_t short_kernel_ns = 20'000;
// A longer gap is the program doing something else, not the cost of launching.
constexpr std::int64_t longest_gap_ns = 100'000;
constexpr double noticeable = 0.30;

struct Span {
  std::int64_t start_ns, end_ns;
};

std::vector<Span> timeline(const Session& session) {
  std::vector<Span> spans;
  for (const Launch& launch : session.launches) {
    if (launch.device == 0 && launch.end_ns > launch.start_ns && launch.start_ns > 0) {
      spans.push_back({launch.start_ns, launch.end_ns});
    }
  }
  std::sort(spans.begin(), spans.end(),
            [](const Span& a, const Span& b) { return a.start_ns < b.start_ns; });
  return spans;
}

std::vector<Diagnosis> look_at_run(const RuleContext& context) {
  const std::vector<Span> spans = timeline(context.session);
  if (spans.size() < enough_launches) {
    return {};
  }
  double busy_ns = 0;
  double gap_ns = 0;
  std::size_t short_ones = 0;
  std::int64_t last_end_ns = spans.front().start_ns;
  for (const Span& span : spans) {
    const std::int64_t gap = span.start_ns - last_end_ns;
    gap_ns += gap > 0 && gap <= longest_gap_ns ? static_cast<double>(gap) : 0;
    busy_ns += static_cast<double>(
        std::max<std::int64_t>(0, span.end_ns - std::max(span.start_ns, last_end_ns)));
    short_ones += span.end_ns - span.start_ns < short_kernel_ns ? 1U : 0U;
    last_end_ns = std::max(last_end_ns, span.end_ns);
  }
  // In bursts of launches, which no pause of the program interrupts.
  const double idle = gap_ns / (gap_ns + busy_ns);
  if (2 * short_ones < spans.size() || idle < noticeable) {
    return {};
  }
  const auto whole_ns = static_cast<double>(last_end_ns - spans.front().start_ns);
  constexpr double ns = 1e-9;
  Diagnosis d;
  d.title =
      fmt::format("The GPU waits for launches: {} of the time in bursts of them", percent(idle));
  d.explanation = fmt::format(
      "Of {} kernels {} run for less than 20 microseconds, and the device idles between them: the "
      "host cannot launch as fast as they finish. A burst is what no gap above 100 microseconds "
      "interrupts; such gaps, {} of the {} from first to last kernel, are the program doing "
      "something else.",
      grouped_count(static_cast<std::int64_t>(spans.size())),
      grouped_count(static_cast<std::int64_t>(short_ones)),
      time_text((whole_ns - gap_ns - busy_ns) * ns), time_text(whole_ns * ns));
  d.evidence = {{"idle in bursts of launches", idle, "share", noticeable},
                {"gaps of at most 100 microseconds, together", gap_ns * ns, "s", std::nullopt},
                {"first to last kernel", whole_ns * ns, "s", std::nullopt},
                {"kernels shorter than 20 microseconds", static_cast<double>(short_ones), "1",
                 static_cast<double>(spans.size()) / 2}};
  d.action =
      "Capture the sequence in a CUDA graph, fuse small kernels, or launch dependent ones by "
      "programmatic dependent launch.";
  d.estimated_gain = bounded_gain(gap_ns / whole_ns, 1);
  d.gain_formula = "gaps of at most 100 microseconds / time from first to last kernel";
  d.severity = severity_of_gain(*d.estimated_gain);
  return {d};
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule launch_bound() {
  return {"launch_bound",
          "no timeline was taken, or counters were read between the launches, which adds gaps",
          [](const RuleContext& context) { return look_at_run(context); }};
}

}  // namespace ridgepoint::rules
