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

// The counters of a session under the quantities of a counter map. Names are looked up once, so
// that a million launches cost no more than reading their columns; the session must outlive it.
class LaunchCounters {
 public:
  // Without a map there are no quantities, and times come from the timeline.
  LaunchCounters(const Session& session, const CounterMap* map);

  // Time of one launch: counted by the device where it was, else from the timeline; empty when
  // neither was taken.
  std::optional<double> time_s(std::size_t launch) const;

  // `times_s` is the weight of each launch of the session, NaN where it is not known and then 1. A
  // sum is absent as soon as one launch lacks it: the rest would pass for the whole. `incomplete`
  // then gets its id.
  Quantities gather(const std::vector<std::uint32_t>& launches, const std::vector<double>& times_s,
                    std::vector<std::string>& incomplete) const;

 private:
  struct Term {
    double scale;
    const std::vector<double>* column;
  };
  struct Source {
    const QuantityDefinition* quantity;
    std::vector<Term> terms;     // empty when the session lacks one of its counters
    std::vector<Term> stand_in;  // of the quantity that stands in for it
  };
  std::vector<Term> terms_of(const QuantityDefinition& quantity) const;
  void add_stand_ins(const CounterMap& map);
  static std::optional<double> evaluate(const std::vector<Term>& terms, std::size_t launch);

  const Session* session_;
  std::vector<Source> sources_;  // those with all counters, own or of a stand-in
  std::optional<std::size_t> time_;
};

// The time of every launch, NaN where it is not known; `counters` has one entry a device.
std::vector<double> launch_times_s(const Session& session,
                                   const std::vector<LaunchCounters>& counters);

}  // namespace ridgepoint
