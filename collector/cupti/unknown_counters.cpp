#include "collector/cupti/unknown_counters.h"

#include <fmt/format.h>

#include "analyzer/core/nearest_word.h"
#include "analyzer/core/text.h"
#include "analyzer/metrics/counter_map.h"

namespace ridgepoint::collector {
namespace {

std::vector<std::string> known_names(const std::string& chip,
                                     const std::filesystem::path& data_folder) {
  std::vector<std::string> names = {"none"};
  if (const Result<CounterMap> map = load_counter_map(chip, data_folder)) {
    for (const auto& [profile, quantities] : map->profiles) {
      names.push_back(profile);
    }
    for (const QuantityDefinition& quantity : map->quantities) {
      for (const CounterTerm& term : quantity.terms) {
        if (!quantity.only_imported) {
          names.push_back(term.counter);
        }
      }
    }
  }
  return names;
}

}  // namespace

std::string unknown_counters_hint(const std::string& chip, const std::vector<std::string>& names,
                                  const std::filesystem::path& data_folder) {
  const std::vector<std::string> known = known_names(chip, data_folder);
  std::string meant;
  for (const std::string& name : names) {
    meant = meant.empty() ? did_you_mean(name, known) : meant;
  }
  return fmt::format(
      "{}any counter of CUPTI can be asked for: `ridgepoint metrics {}` lists those of the "
      "profiles, `ncu --query-metrics --chips {}` all",
      meant, chip, lower_case(chip));
}

}  // namespace ridgepoint::collector
