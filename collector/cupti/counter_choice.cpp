#include "collector/cupti/counter_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "analyzer/metrics/counter_map.h"
#include "collector/cupti/unknown_counters.h"

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

Result<std::vector<std::string>> counters_of_profile(const std::string& chip,
                                                     const std::string& profile,
                                                     const std::filesystem::path& data_folder) {
  return load_counter_map(chip, data_folder).and_then([&](const CounterMap& map) {
    return map.counters(profile);
  });
}

// "lite,sm__cycles_active.avg": a profile among the names stands for its counters, each once.
Result<std::vector<std::string>> with_profiles(const std::string& chip,
                                               const std::vector<std::string>& names,
                                               const std::filesystem::path& data_folder) {
  std::vector<std::string> counters;
  for (const std::string& name : names) {
    const Result<std::vector<std::string>> meant =
        is_counter_profile(name) ? counters_of_profile(chip, name, data_folder)
                                 : std::vector<std::string>{name};
    if (!meant) {
      return meant;
    }
    std::copy_if(meant->begin(), meant->end(), std::back_inserter(counters),
                 [&](const std::string& counter) {
                   return std::find(counters.begin(), counters.end(), counter) == counters.end();
                 });
  }
  return counters;
}

}  // namespace

bool is_counter_profile(const std::string& name) {
  return name == "lite" || name == "default" || name == "full";
}

Result<CounterChoice> choose_counters(const CuptiApi& api, const std::string& chip,
                                      const std::string& profile,
                                      const std::vector<std::string>& counters,
                                      const std::filesystem::path& data_folder) {
  Result<std::vector<std::string>> mapped = counters.empty()
                                                ? counters_of_profile(chip, profile, data_folder)
                                                : with_profiles(chip, counters, data_folder);
  if (!mapped) {
    return tl::make_unexpected(mapped.error());
  }
  std::vector<std::string> wanted = std::move(*mapped);
  if (wanted.empty()) {
    return fail(ErrorDomain::device, "choosing the counters of chip " + chip,
                "no counter of the profile '" + profile + "' is known for it",
                "timings need no counters: measure with --counters none");
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
                unknown_counters_hint(chip, *refused, data_folder));
  }
  Result<CounterChoice> choice = planned(api, chip, wanted);
  if (choice) {
    choice->refused = std::move(*refused);
  }
  return choice;
}

}  // namespace ridgepoint::collector
