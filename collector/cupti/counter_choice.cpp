#include "collector/cupti/counter_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "analyzer/metrics/counter_map.h"

namespace ridgepoint::collector {
namespace {

Result<CounterChoice> planned(const CuptiApi& api, const std::string& chip,
                              const std::vector<std::string>& counters) {
  Result<ProfilerHost> host = ProfilerHost::create(api, chip);
  if (!host) {
    return tl::make_unexpected(host.error());
  }
  Result<CounterPlan> plan = host->plan(counters);
  if (!plan) {
    return tl::make_unexpected(plan.error());
  }
  return CounterChoice{std::move(*host), std::move(*plan), {}};
}

}  // namespace

Result<CounterChoice> choose_counters(const CuptiApi& api, const std::string& chip,
                                      const std::string& profile,
                                      const std::vector<std::string>& counters,
                                      const std::filesystem::path& data_folder) {
  std::vector<std::string> wanted = counters;
  if (wanted.empty()) {
    Result<std::vector<std::string>> mapped =
        load_counter_map(chip, data_folder).and_then([&](const CounterMap& map) {
          return map.counters(profile);
        });
    if (!mapped) {
      return tl::make_unexpected(mapped.error());
    }
    wanted = std::move(*mapped);
    if (wanted.empty()) {
      return fail(ErrorDomain::device, "choosing the counters of chip " + chip,
                  "no counter of the profile '" + profile + "' is known for it",
                  "timings need no counters: measure with --counters none");
    }
  }
  if (Result<CounterChoice> all = planned(api, chip, wanted)) {
    return all;
  }
  // CUPTI refuses a whole list for one name; asking for each takes longer.
  Result<std::vector<std::string>> refused = refused_counters(api, chip, wanted);
  if (!refused) {
    return tl::make_unexpected(refused.error());
  }
  std::erase_if(wanted, [&](const std::string& counter) {
    return std::find(refused->begin(), refused->end(), counter) != refused->end();
  });
  if (wanted.empty()) {
    return fail(ErrorDomain::device, "choosing the counters of chip " + chip,
                fmt::format("it has none of {}", fmt::join(*refused, ", ")),
                "ridgepoint metrics --chip " + chip + " lists counters");
  }
  Result<CounterChoice> choice = planned(api, chip, wanted);
  if (choice) {
    choice->refused = std::move(*refused);
  }
  return choice;
}

}  // namespace ridgepoint::collector
