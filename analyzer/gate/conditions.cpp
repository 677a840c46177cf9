#include "analyzer/gate/conditions.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgepoint {
namespace {

void check_device(const BudgetConditions& c, const Analysis& session,
                  std::vector<Difference>& list) {
  if (!c.device && !c.chip && !c.sm_count) {
    return;
  }
  if (session.devices.empty()) {
    list.push_back({"hardware.unknown", "the session names no device", Spoils::everything});
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
         Spoils::everything});
  }
}

}  // namespace

std::vector<Difference> unmet_conditions(const BudgetConditions& conditions,
                                         const Analysis& session) {
  std::vector<Difference> list;
  check_device(conditions, session, list);
  if (conditions.workload) {
    const std::string text = workload_difference(conditions.workload, session.attention);
    if (!text.empty()) {
      list.push_back(
          {"workload.shape", "another problem than the budget's: " + text, Spoils::everything});
    }
  }
  if (std::any_of(session.issues.begin(), session.issues.end(),
                  [](const Issue& issue) { return issue.code == "clocks.throttled"; })) {
    list.push_back(
        {"clocks.throttled", "the device slowed itself down during the run", Spoils::timing});
  }
  if (conditions.cache_control && *conditions.cache_control != session.policy.cache_control) {
    list.push_back({"policy.cache_control",
                    fmt::format("caches held something else before each pass: {} instead of {}",
                                session.policy.cache_control.empty() ? "not stated"
                                                                     : session.policy.cache_control,
                                *conditions.cache_control),
                    Spoils::counters});
  }
  return list;
}

std::string clock_objection(const BudgetConditions& conditions, const KernelAnalysis& kernel) {
  if (!conditions.sm_clock_min_hz && !conditions.sm_clock_max_hz) {
    return {};
  }
  if (!kernel.sm_clock_hz) {
    return "the SM clock of " + kernel.short_name + " was not measured";
  }
  const double hz = *kernel.sm_clock_hz;
  const double tolerance = 1 + conditions.clock_tolerance;
  const bool slow = conditions.sm_clock_min_hz && hz * tolerance < *conditions.sm_clock_min_hz;
  const bool fast = conditions.sm_clock_max_hz && hz > *conditions.sm_clock_max_hz * tolerance;
  if (!slow && !fast) {
    return {};
  }
  return fmt::format("the SM clock in {} was {:.0f} MHz, the budget is from {:.0f} to {:.0f} MHz",
                     kernel.short_name, hz * 1e-6, conditions.sm_clock_min_hz.value_or(0) * 1e-6,
                     conditions.sm_clock_max_hz.value_or(0) * 1e-6);
}

}  // namespace ridgepoint
