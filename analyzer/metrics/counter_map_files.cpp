#include "analyzer/core/data_path.h"
#include "analyzer/metrics/counter_map.h"

namespace ridgepoint {
namespace {

namespace fs = std::filesystem;

Result<std::vector<CounterMap>> load_from(const fs::path& data) {
  return load_data(data, "counters", [](const std::string& text, const std::string& path) {
    return parse_counter_map(text, path);
  });
}

}  // namespace

Result<std::vector<CounterMap>> load_counter_maps() {
  return data_directory().and_then(load_from);
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
