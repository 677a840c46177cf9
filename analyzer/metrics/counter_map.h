// Semantic quantities and the hardware counters that give them, read from data/counters/*.json (one
// file a chip family). The collector asks it which counters to collect; the analyzer asks it for
// values. No counter name stands in code.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/core/error.h"
#include "analyzer/session/session.h"

namespace ridgepoint {

enum class Aggregate {
  sum,                 // over launches: bytes, FLOP, time
  time_weighted_mean,  // shares, clocks
  maximum,             // peaks that do not depend on the launch
};

struct CounterTerm {
  std::string counter;  // with its rollup: "dram__bytes_read.sum"
  double scale = 1;     // to the quantity's SI unit
};

struct QuantityDefinition {
  std::string id;           // "hbm_read_bytes"
  std::string unit;         // "byte", "s", "FLOP", "share", "Hz", "cycle", "byte/cycle", "1"
  std::string description;  // for people: what it counts
  Aggregate aggregate = Aggregate::sum;
  std::vector<CounterTerm> terms;  // value = sum of scale * counter
  // No counter of CUPTI gives it: Nsight Compute computes it from patched instructions, and only an
  // import of its raw page has it. In no profile.
  bool only_imported = false;
  // Another quantity, of which this one counts a part with fewer counters (dense products, say), so
  // that it fits where the other does not; empty for most. Where the other was not measured this is
  // taken for it, unless it is zero: nothing of a part is not nothing of the whole.
  std::string stands_in_for;
};

struct CounterMap {
  std::string family;              // "Hopper"
  std::vector<std::string> chips;  // CUPTI chip names: "GH100"
  std::vector<QuantityDefinition> quantities;
  std::map<std::string, std::vector<std::string>> profiles;  // "lite" -> quantity ids

  const QuantityDefinition* find(const std::string& id) const;
  // The distinct counters of a profile, in definition order; fails on an unknown profile name,
  // naming the known ones.
  Result<std::vector<std::string>> counters(const std::string& profile) const;
};

// Empty when a term was not measured for that launch.
std::optional<double> evaluate(const QuantityDefinition& quantity, const CounterTable& counters,
                               std::size_t launch);

// All maps of data_directory()/counters.
Result<std::vector<CounterMap>> load_counter_maps();
// The map that lists `chip`; fails with a device error that names the chips there are.
Result<CounterMap> load_counter_map(const std::string& chip);
// The same from another data folder, for code that runs inside a program that is not ours.
Result<CounterMap> load_counter_map(const std::string& chip, const std::filesystem::path& data);
// data/pm-sampling: what is sampled over time within a run, a file a family in the same form; its
// profile "pm_sampling" is one pass. Empty when no file lists the chip.
Result<std::optional<CounterMap>> load_pm_sampling_map(const std::string& chip);
Result<std::optional<CounterMap>> load_pm_sampling_map(const std::string& chip,
                                                       const std::filesystem::path& data);
Result<std::vector<CounterMap>> load_pm_sampling_maps();
Result<CounterMap> parse_counter_map(const std::string& json, const std::string& name);

}  // namespace ridgepoint
