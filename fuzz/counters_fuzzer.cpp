// Any bytes as a counter map: an input error, or a map whose profiles all resolve to counters.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "analyzer/metrics/counter_map.h"

namespace {

[[noreturn]] void stop(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto map = ridgepoint::parse_counter_map(text, "fuzz.json");
  if (!map) {
    if (map.error().domain != ridgepoint::ErrorDomain::input) {
      stop(format_error(map.error()));
    }
    return 0;
  }
  for (const auto& [profile, ids] : map->profiles) {
    const auto counters = map->counters(profile);
    if (!counters || counters->empty() != ids.empty()) {
      stop("the profile \"" + profile + "\" does not give its counters");
    }
  }
  return 0;
}
