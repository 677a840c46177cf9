#include "analyzer/analysis/watched_clocks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

#include "analyzer/analysis/checks.h"
#include "analyzer/core/grouped_digits.h"
#include "analyzer/session/clock_reasons.h"

namespace ridgepoint {
namespace {

std::string slowdown_text(std::int64_t reasons) {
  std::vector<std::string> words;
  const auto add = [&](std::int64_t bit, const char* word) {
    if ((reasons & bit) != 0) {
      words.emplace_back(word);
    }
  };
  add(clock_reason_hw_slowdown, "hardware slowdown");
  add(clock_reason_sw_thermal, "temperature limit");
  add(clock_reason_hw_thermal, "hardware temperature limit");
  add(clock_reason_power_brake, "external power brake");
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string where(const PowerPhase& phase, const Session& session) {
  const std::string during =
      phase.name == "latency" ? "while latency was timed" : "while the program ran";
  return session.devices.size() > 1 ? fmt::format("{} (device {})", during, phase.device) : during;
}

void check_phase(const PowerPhase& phase, const Session& session, std::vector<Issue>& issues) {
  const std::string during = where(phase, session);
  if (phase.slowed_samples > 0) {
    issues.push_back(
        {"clocks.throttled",
         fmt::format("the device slowed itself down {}, in {} of {} samples ({}): its times are "
                     "not those of the device at its best",
                     during, grouped_count(phase.slowed_samples), grouped_count(phase.samples),
                     slowdown_text(phase.clock_reasons))});
  }
  if (phase.power_capped_samples > 0) {
    issues.push_back(
        {"clocks.power_capped",
         fmt::format("the power limit held the clocks down {}, in {} of {} samples: times are "
                     "those of the device at that limit",
                     during, grouped_count(phase.power_capped_samples),
                     grouped_count(phase.samples))});
  }
  if (phase.busy_samples > 1 && phase.sm_clock_min_hz && phase.sm_clock_max_hz &&
      *phase.sm_clock_max_hz > *phase.sm_clock_min_hz * (1 + clock_spread_limit)) {
    issues.push_back({"clocks.moved",
                      fmt::format("the SM clock ran from {:.0f} to {:.0f} MHz {}, more than {:.0f} "
                                  "%: compare times with care",
                                  *phase.sm_clock_min_hz * 1e-6, *phase.sm_clock_max_hz * 1e-6,
                                  during, clock_spread_limit * 100)});
  }
}

}  // namespace

std::vector<Issue> check_watched_clocks(const Session& session) {
  std::vector<Issue> issues;
  for (const PowerPhase& phase : session.power_phases) {
    if (phase.name == "latency" || phase.name == "program") {
      check_phase(phase, session, issues);
    }
  }
  return issues;
}

}  // namespace ridgepoint
