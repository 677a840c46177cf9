// The counters of several launches brought together into quantities, each by its own rule
// (Aggregate): bytes add up, shares and clocks are weighted by the launches' times, peaks are the
// same for all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/metrics/counter_map.h"
#include "analyzer/session/session.h"

namespace ridgepoint {

// Values by semantic id, in the order of the counter map.
class Quantities {
 public:
  void set(const std::string& id, double value) { values_.emplace_back(id, value); }
  std::optional<double> get(const std::string& id) const;
  const std::vector<std::pair<std::string, double>>& all() const { return values_; }

 private:
  std::vector<std::pair<std::string, double>> values_;
};

// Time of one launch: counted by the device where it was, else from the timeline; empty when
// neither was taken.
std::optional<double> launch_time_s(const Session& session, const CounterMap* map,
                                    std::size_t launch);

// A sum is absent as soon as one launch lacks it: the rest would pass for the whole. `incomplete`
// then gets its id.
Quantities gather_quantities(const Session& session, const CounterMap& map,
                             const std::vector<std::uint32_t>& launches,
                             std::vector<std::string>& incomplete);

}  // namespace ridgepoint
