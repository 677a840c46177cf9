#include "collector/profile/pass_plan.h"

#include "analyzer/core/data_path.h"
#include "collector/cupti/counter_choice.h"
#include "collector/cupti/cupti_library.h"

namespace ridgepoint::collector {

Result<PassPlan> plan_passes(const std::string& chip, const std::string& profile,
                             const std::vector<std::string>& counters) {
  const Result<std::filesystem::path> data = data_directory();
  if (!data) {
    return tl::make_unexpected(data.error());
  }
  const Result<const CuptiApi*> api = load_cupti(cupti_candidates());
  if (!api) {
    return tl::make_unexpected(api.error());
  }
  return choose_counters(**api, chip, profile, counters, *data)
      .map([](const CounterChoice& choice) {
        return PassPlan{choice.plan.counters, choice.refused, choice.plan.passes};
      });
}

}  // namespace ridgepoint::collector
