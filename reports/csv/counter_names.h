// Quantities under the names that Nsight Compute and CUPTI give the counters behind them.
#pragma once

#include <string>
#include <vector>

#include "analyzer/analysis/analysis.h"
#include "analyzer/metrics/counter_map.h"

namespace ridgepoint {

struct NamedQuantity {
  std::string id;    // of the counter map: "hbm_read_bytes"
  std::string name;  // "hbm_read_bytes" or "dram__bytes_read.sum"
  std::string
      unit;  // "s" and "share", or what Nsight Compute prints with --print-units base: "ns",
             // "%"
  double divisor = 1;  // value under this name = value in SI units / divisor
};

// Every quantity of the map. In Nsight's names, one that is exactly one counter has that counter's
// name and unit; one that is a sum of several has no single counterpart and keeps its own. A
// counter that gives two quantities is listed once.
std::vector<NamedQuantity> named_quantities(const CounterMap& map, bool ncu_names);

// The map of the analysis' first device; an empty one when there is no device or its chip is not
// known, for then nothing could be evaluated either.
CounterMap counter_map_of(const Analysis& analysis);

}  // namespace ridgepoint
