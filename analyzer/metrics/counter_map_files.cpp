#include <algorithm>

#include "analyzer/core/data_path.h"
#include "analyzer/metrics/counter_map.h"

namespace ridgepoint {
namespace {

namespace fs = std::filesystem;

Result<std::vector<CounterMap>> load_from(const fs::path& data, const char* folder = "counters") {
  return load_data(data, folder, [](const std::string& text, const std::string& path) {
    return parse_counter_map(text, path);
  });
}

}  // namespace

Result<std::vector<CounterMap>> load_counter_maps() {
  return data_directory().and_then([](const fs::path& data) { return load_from(data); });
}

Result<std::vector<CounterMap>> load_pm_sampling_maps() {
  return data_directory().and_then(
      [](const fs::path& data) { return load_from(data, "pm-sampling"); });
}

Result<std::optional<CounterMap>> load_pm_sampling_map(const std::string& chip) {
  return data_directory().and_then(
      [&](const fs::path& data) { return load_pm_sampling_map(chip, data); });
}

Result<std::optional<CounterMap>> load_pm_sampling_map(const std::string& chip,
                                                       const fs::path& data) {
  return load_from(data, "pm-sampling")
      .map([&](std::vector<CounterMap> maps) -> std::optional<CounterMap> {
        for (CounterMap& map : maps) {
          if (std::find(map.chips.begin(), map.chips.end(), chip) != map.chips.end()) {
            return std::move(map);
          }
        }
        return std::nullopt;
      });
}

Result<CounterMap> load_counter_map(const std::string& chip) {
  return data_directory().and_then(
      [&](const fs::path& data) { return load_counter_map(chip, data); });
}

Result<CounterMap> load_counter_map(const std::string& chip, const fs::path& data) {
  Result<std::vector<CounterMap>> maps = load_from(data);
  if (!maps) {
    return tl::make_unexpected(maps.error());
  }
  std::string known;
  for (CounterMap& map : *maps) {
    for (const std::string& name : map.chips) {
      if (name == chip) {
        return std::move(map);
      }
      known += (known.empty() ? "" : ", ") + name;
    }
  }
  return fail(ErrorDomain::device, "choosing the counters of chip '" + chip + "'",
              "no counter map lists it; there are maps for " + known,
              "timings need no counters: measure with --counters none");
}

}  // namespace ridgepoint
