#include "cli/unknown_chip.h"

#include <algorithm>
#include <vector>

#include "analyzer/core/nearest_word.h"
#include "analyzer/core/text.h"
#include "analyzer/metrics/counter_map.h"
#include "analyzer/predict/gpu.h"

namespace ridgepoint::cli {
namespace {

std::vector<std::string> all_chips() {
  std::vector<std::string> chips;
  if (const Result<std::vector<CounterMap>> maps = load_counter_maps()) {
    for (const CounterMap& map : *maps) {
      chips.insert(chips.end(), map.chips.begin(), map.chips.end());
    }
  }
  return chips;
}

// Products are better known than their chips.
std::string chip_meant(const std::string& name) {
  if (const auto gpu = find_gpu(name); gpu && name.find('/') == std::string::npos) {
    return name + " has the chip " + gpu->device.chip + "; ";
  }
  return did_you_mean(name, all_chips());
}

}  // namespace

bool has_counters(const std::string& chip) {
  const std::vector<std::string> chips = all_chips();
  return chips.empty() || std::find(chips.begin(), chips.end(), chip) != chips.end();
}

Error unknown_chip(const std::string& what, const std::string& chip) {
  return {ErrorDomain::usage, 0, what, "there is no chip \"" + printable(chip) + "\"",
          chip_meant(chip) + "`ridgepoint metrics` lists the chips"};
}

}  // namespace ridgepoint::cli
