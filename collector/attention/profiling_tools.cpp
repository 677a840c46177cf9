#include "collector/attention/profiling_tools.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "analyzer/metrics/counter_map.h"
#include "collector/cupti/cupti_api.h"

namespace ridgepoint::collector {

void Missing::add(const char* code, const Error& error) {
  errors_.push_back(error);
  std::string text = error.what + ": " + error.why;
  if (!error.hint.empty()) {
    text += " (" + error.hint + ")";
  }
  issues_.push_back({code, std::move(text)});
}

std::vector<Issue> Missing::take_issues() {
  return std::exchange(issues_, {});
}

Result<CounterTools> prepare_counters(const CuptiApi& api, const std::string& chip,
                                      const std::string& profile, Missing& missing) {
  Result<CounterMap> map = load_counter_map(chip);
  if (!map) {
    return tl::make_unexpected(map.error());
  }
  Result<std::vector<std::string>> counters = map->counters(profile);
  if (!counters) {
    return tl::make_unexpected(counters.error());
  }
  Result<std::vector<std::string>> refused = refused_counters(api, chip, *counters);
  if (!refused) {
    return tl::make_unexpected(refused.error());
  }
  if (!refused->empty()) {
    const Error error{ErrorDomain::device, CUPTI_ERROR_INVALID_METRIC_NAME,
                      "collecting all counters of the profile '" + profile + "'",
                      fmt::format("this CUPTI does not have {}", fmt::join(*refused, ", ")),
                      "set RIDGEPOINT_CUPTI to the libcupti.so of CUDA 13.0 or later"};
    missing.add("counters.refused", error);
    std::erase_if(*counters, [&](const std::string& counter) {
      return std::find(refused->begin(), refused->end(), counter) != refused->end();
    });
  }
  if (counters->empty()) {
    return fail(ErrorDomain::device, "choosing the counters of chip " + chip,
                "none of the profile '" + profile + "' can be collected");
  }
  Result<ProfilerHost> host = ProfilerHost::create(api, chip);
  if (!host) {
    return tl::make_unexpected(host.error());
  }
  Result<CounterPlan> plan = host->plan(*counters);
  if (!plan) {
    return tl::make_unexpected(plan.error());
  }
  return CounterTools{std::move(*host), std::move(*plan)};
}

}  // namespace ridgepoint::collector
