#include "collector/cupti/pass_groups.h"

#include <algorithm>

#include "collector/cupti/patched_counters.h"
#include "collector/cupti/profiler_host.h"

namespace ridgepoint::collector {
namespace {

Result<bool> fits_one_pass(const CuptiApi& api, const std::string& chip,
                           std::vector<std::string> counters) {
  const bool has_control =
      std::find(counters.begin(), counters.end(), patching_control) != counters.end();
  if (!has_control && std::any_of(counters.begin(), counters.end(), needs_patching)) {
    counters.emplace_back(patching_control);
  }
  return ProfilerHost::create(api, chip)
      .and_then([&](ProfilerHost&& host) { return host.plan(counters); })
      .map([](const CounterPlan& plan) { return plan.passes <= 1; });
}

}  // namespace

Result<PassGroups> group_by_pass(const CuptiApi& api, const std::string& chip,
                                 const std::vector<std::string>& counters) {
  PassGroups result;
  for (const std::string& counter : counters) {
    bool placed = false;
    for (std::vector<std::string>& group : result.groups) {
      group.push_back(counter);
      const Result<bool> fits = fits_one_pass(api, chip, group);
      if (!fits) {
        return tl::make_unexpected(fits.error());
      }
      placed = *fits;
      if (placed) {
        break;
      }
      group.pop_back();
    }
    if (placed) {
      continue;
    }
    const Result<bool> alone = fits_one_pass(api, chip, {counter});
    if (!alone) {
      return tl::make_unexpected(alone.error());
    }
    if (*alone) {
      result.groups.push_back({counter});
    } else {
      result.too_wide.push_back(counter);
    }
  }
  return result;
}

}  // namespace ridgepoint::collector
