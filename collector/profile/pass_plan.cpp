#include "collector/profile/pass_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "analyzer/core/data_path.h"
#include "analyzer/core/text.h"
#include "collector/cupti/counter_choice.h"
#include "collector/cupti/cupti_library.h"
#include "collector/cupti/pass_groups.h"
#include "collector/cupti/profiler_host.h"

namespace ridgepoint::collector {
namespace {

Status check_chip(const CuptiApi& api, const std::string& chip) {
  Result<std::vector<std::string>> known = supported_chips(api);
  if (!known) {
    return tl::make_unexpected(known.error());
  }
  if (std::find(known->begin(), known->end(), chip) != known->end()) {
    const Result<ProfilerHost> host = ProfilerHost::create(api, chip);
    if (host) {
      return {};
    }
    return fail(
        ErrorDomain::device, "planning the passes",
        fmt::format("CUPTI lists chip {} and refuses to count on it: {}", chip, host.error().why),
        "a timeline needs no counters: --counters none");
  }
  std::sort(known->begin(), known->end());
  return fail(ErrorDomain::usage, "planning the passes",
              fmt::format("this CUPTI knows no chip '{}'", printable(chip)),
              fmt::format("it knows {}", fmt::join(*known, ", ")));
}

Status group(const CuptiApi& api, PassPlan& plan) {
  Result<PassGroups> groups = group_by_pass(api, plan.chip, plan.counters);
  if (!groups) {
    return tl::make_unexpected(groups.error());
  }
  plan.passes = groups->groups.size();
  plan.too_wide = std::move(groups->too_wide);
  std::erase_if(plan.counters, [&](const std::string& counter) {
    return std::find(plan.too_wide.begin(), plan.too_wide.end(), counter) != plan.too_wide.end();
  });
  return {};
}

}  // namespace

Result<bool> cupti_counts_on(const std::string& chip) {
  return load_cupti(cupti_candidates())
      .and_then([](const CuptiApi* api) { return supported_chips(*api); })
      .map([&](const std::vector<std::string>& known) {
        return std::find(known.begin(), known.end(), chip) != known.end();
      });
}

Result<PassPlan> plan_passes(const std::string& chip, const std::string& profile,
                             const std::vector<std::string>& counters, const std::string& replay) {
  const Result<std::filesystem::path> data = data_directory();
  if (!data) {
    return tl::make_unexpected(data.error());
  }
  const Result<const CuptiApi*> api = load_cupti(cupti_candidates());
  if (!api) {
    return tl::make_unexpected(api.error());
  }
  if (const Status known = check_chip(**api, chip); !known) {
    return tl::make_unexpected(known.error());
  }
  Result<CounterChoice> choice = choose_counters(**api, chip, profile, counters, *data);
  if (!choice) {
    Error error = std::move(choice.error());
    // Names that the user wrote, not a device that lacks something.
    error.domain = counters.empty() ? error.domain : ErrorDomain::usage;
    return tl::make_unexpected(std::move(error));
  }
  PassPlan plan;
  plan.chip = chip;
  plan.counters = std::move(choice->plan.counters);
  plan.refused = std::move(choice->refused);
  plan.passes = choice->plan.passes;
  if (replay != "kernel") {
    return group(**api, plan).map([&] { return std::move(plan); });
  }
  if (plan.passes == 1) {
    plan.one_pass_counters = plan.counters.size();
  } else if (const auto lite = choose_counters(**api, chip, "lite", {}, *data);
             lite && lite->plan.passes == 1) {
    plan.one_pass_counters = lite->plan.counters.size();
  }
  return plan;
}

}  // namespace ridgepoint::collector
