#include "collector/cupti/pm_counters.h"

#include "analyzer/metrics/counter_map.h"

namespace ridgepoint::collector {

Result<std::vector<std::string>> pm_sampling_counters(const std::string& chip,
                                                      const std::filesystem::path& data) {
  const Result<std::optional<CounterMap>> map = load_pm_sampling_map(chip, data);
  if (!map) {
    return tl::make_unexpected(map.error());
  }
  if (!*map) {
    return fail(ErrorDomain::device, "choosing what to sample over time",
                "no file of data/pm-sampling lists the chip " + chip);
  }
  return (*map)->counters("pm_sampling");
}

}  // namespace ridgepoint::collector
