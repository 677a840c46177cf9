// The parts of the traffic, which kernels and variants report alike.
#pragma once

#include <string>
#include <vector>

#include "analyzer/compare/quantity.h"

namespace ridgepoint {

template <class Subject, MemoryLevel level, double TrafficSplit::*part>
std::optional<double> split_part(const Subject& subject) {
  const std::optional<TrafficSplit>& split = subject.split[level];
  return split ? std::optional<double>((*split).*part) : std::nullopt;
}

template <class Subject, MemoryLevel level>
void add_split_level(std::vector<Quantity<Subject>>& list, const std::string& label) {
  constexpr Better neither = Better::neither;
  constexpr Basis counters = Basis::counters;
  const std::string id = std::string("traffic_split.") + key(level) + ".";
  list.push_back(
      {{id + "inputs_outputs", label + " bytes of inputs and outputs", "byte", neither, counters},
       &split_part<Subject, level, &TrafficSplit::inputs_outputs>});
  list.push_back(
      {{id + "intermediates", label + " bytes of intermediates", "byte", Better::lower, counters},
       &split_part<Subject, level, &TrafficSplit::intermediates>});
  list.push_back({{id + "again", label + " bytes moved again", "byte", Better::lower, counters},
                  &split_part<Subject, level, &TrafficSplit::again>});
  list.push_back({{id + "kept", label + " bytes that stayed above", "byte", neither, counters},
                  &split_part<Subject, level, &TrafficSplit::kept>});
}

template <class Subject>
void add_split(std::vector<Quantity<Subject>>& list) {
  add_split_level<Subject, MemoryLevel::hbm>(list, "HBM");
  add_split_level<Subject, MemoryLevel::l2>(list, "L2");
  list.push_back(
      {{"l2_saved_bytes", "bytes that L2 saved HBM", "byte", Better::neither, Basis::counters},
       [](const Subject& subject) { return subject.l2_saved_bytes; }});
}

}  // namespace ridgepoint
