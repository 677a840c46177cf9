#include "collector/profile/plan_proof.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "analyzer/core/text.h"

namespace ridgepoint::collector {
namespace {

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Passes of a session are those of one chip, so that sessions of several say nothing.
std::string only_chip(const Session& session) {
  std::set<std::string> chips;
  for (const DeviceInfo& device : session.devices) {
    chips.insert(device.chip);
  }
  return chips.size() == 1 ? *chips.begin() : std::string();
}

}  // namespace

std::optional<std::string> what_differs(const std::vector<PassPlan>& plans,
                                        const Session& session) {
  const std::string chip = only_chip(session);
  if (chip.empty() || session.policy.passes <= 0) {
    return std::nullopt;
  }
  const auto plan = std::find_if(plans.begin(), plans.end(),
                                 [&](const PassPlan& one) { return one.chip == chip; });
  if (plan == plans.end()) {
    return fmt::format("this run counted on {}, the plan was for another chip", printable(chip));
  }
  if (plan->passes != static_cast<std::size_t>(session.policy.passes)) {
    return fmt::format("{} counts in {} passes, the plan said {}", printable(chip),
                       session.policy.passes, plan->passes);
  }
  for (const std::string& name : session.counters.names) {
    if (holds(plan->refused, name) || holds(plan->too_wide, name)) {
      return fmt::format("{} was counted, the plan said that it cannot be", printable(name));
    }
  }
  const bool refused =
      std::any_of(session.issues.begin(), session.issues.end(),
                  [](const Issue& issue) { return issue.code == "counters.refused"; });
  if (refused && plan->refused.empty()) {
    return "CUPTI refused counters that the plan names";
  }
  return std::nullopt;
}

}  // namespace ridgepoint::collector
