#include <algorithm>
#include <system_error>

#include "analyzer/core/data_path.h"
#include "analyzer/core/file.h"
#include "analyzer/metrics/counter_map.h"

namespace ridgepoint {
namespace {

namespace fs = std::filesystem;

Result<CounterMap> read_counter_map(const fs::path& path) {
  return read_file(path, data_file_limit_bytes).and_then([&](const std::string& text) {
    return parse_counter_map(text, path.filename().string());
  });
}

Result<std::vector<CounterMap>> load_from(const fs::path& data) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::directory_iterator entry(data / "counters", error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() == ".json") {
      paths.push_back(entry->path());
    }
  }
  if (error) {
    return fail(ErrorDomain::input, "listing " + (data / "counters").string(), error.message());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<CounterMap> maps;
  for (const fs::path& path : paths) {
    Result<CounterMap> map = read_counter_map(path);
    if (!map) {
      return tl::make_unexpected(map.error());
    }
    maps.push_back(std::move(*map));
  }
  return maps;
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
