#include "analyzer/gate/conditions.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyzer/analysis/checks.h"

namespace ridgepoint {
namespace {

void check_device(const BudgetConditions& c, const Analysis& session,
                  std::vector<Difference>& list) {
  if (!c.device && !c.chip && !c.sm_count) {
    return;
  }
  if (session.devices.empty()) {
    list.push_back(
        {"hardware.unknown", "the session names no device", Spoils::everything, "device unknown"});
    return;
  }
  const DeviceInfo& device = session.devices.front();
  const bool same = (!c.device || *c.device == device.name) &&
                    (!c.chip || *c.chip == device.chip) &&
                    (!c.sm_count || *c.sm_count == device.sm_count);
  if (!same) {
    list.push_back(
        {"hardware.device",
         fmt::format("other hardware than the budget's: {} ({}, {} SMs) instead of {} ({}, {} SMs)",
                     device.name, device.chip, device.sm_count, c.device.value_or("any"),
                     c.chip.value_or("any chip"),
                     c.sm_count ? std::to_string(*c.sm_count) : std::string("any")),
         Spoils::everything, "other hardware than the budget\'s"});
  }
}

// "flush" asks for the mode alone, "flush: ..." also for how it was done.
bool is_cache_state(const std::string& wanted, const std::string& found) {
  return found == wanted || (!wanted.empty() && found.rfind(wanted + ":", 0) == 0);
}

std::string stated(const std::string& cache_control) {
  return cache_control.empty() ? "not stated, as of a timeline" : cache_control;
}

}  // namespace

std::vector<Difference> unmet_conditions(const BudgetConditions& conditions,
                                         const Analysis& session) {
  std::vector<Difference> list;
  check_device(conditions, session, list);
  if (conditions.workload) {
    const std::string text = workload_difference(conditions.workload, session.attention);
    if (!text.empty()) {
      list.push_back({"workload.shape", "another problem than the budget's: " + text,
                      Spoils::everything, "another problem than the budget\'s"});
    }
  }
  if (std::any_of(session.issues.begin(), session.issues.end(),
                  [](const Issue& issue) { return issue.code == "clocks.throttled"; })) {
    list.push_back({"clocks.throttled", "the device slowed itself down during the run",
                    Spoils::timing, "throttled clocks"});
  }
  for (const Issue& issue : session.issues) {
    if (issue.code == "journal.unsealed" || issue.code == "journal.damaged" ||
        issue.code == "profile.cut_short") {
      list.push_back({issue.code, "the run was cut short: what is missing cannot be judged",
                      Spoils::everything, "a run cut short"});
      break;
    }
  }
  if (conditions.cache_control &&
      !is_cache_state(*conditions.cache_control, session.policy.cache_control)) {
    list.push_back(
        {"policy.cache_control",
         fmt::format("caches held something else before each pass: {} instead of {}",
                     stated(session.policy.cache_control), stated(*conditions.cache_control)),
         Spoils::counters, "another cache state than the budget\'s"});
  }
  return list;
}

std::string clock_objection(double expected_hz, const std::optional<double>& measured_hz,
                            double tolerance) {
  if (!measured_hz) {
    return "the SM clock was not measured";
  }
  const auto [slow, fast] = std::minmax(expected_hz, *measured_hz);
  return fast > slow * (1 + tolerance)
             ? fmt::format("the SM clock was {:.0f} MHz, the limit is from {:.0f} MHz",
                           *measured_hz * 1e-6, expected_hz * 1e-6)
             : std::string();
}

std::string impossible_counters(const KernelAnalysis& kernel) {
  for (const MemoryLevel level : memory_levels) {
    if (kernel.utilisation[level].value_or(0) > utilisation_limit) {
      return fmt::format("its counters cannot be right: {} uses {:.0f} % of the {} peak",
                         kernel.short_name, *kernel.utilisation[level] * 100, label(level));
    }
  }
  return {};
}

std::optional<double> sm_clock_hz(const Analysis& analysis, const VariantAnalysis& variant) {
  double cycles = 0;
  double time_s = 0;
  for (const std::size_t index : variant.kernels) {
    const KernelAnalysis& kernel = analysis.kernels[index];
    if (!kernel.sm_clock_hz || !kernel.time_s) {
      return std::nullopt;
    }
    cycles += *kernel.sm_clock_hz * *kernel.time_s;
    time_s += *kernel.time_s;
  }
  return time_s > 0 ? std::optional<double>(cycles / time_s) : std::nullopt;
}

}  // namespace ridgepoint
