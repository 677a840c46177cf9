#include "analyzer/traffic/quantities.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {
namespace {

std::optional<double> aggregate(const QuantityDefinition& quantity,
                                const std::vector<double>& values,
                                const std::vector<double>& weights) {
  if (values.empty()) {
    return std::nullopt;
  }
  switch (quantity.aggregate) {
    case Aggregate::sum: {
      double sum = 0;
      for (const double value : values) {
        sum += value;
      }
      return sum;
    }
    case Aggregate::maximum:
      return *std::max_element(values.begin(), values.end());
    case Aggregate::time_weighted_mean: {
      double sum = 0;
      double weight = 0;
      for (std::size_t i = 0; i < values.size(); ++i) {
        sum += weights[i] * values[i];
        weight += weights[i];
      }
      return weight > 0 ? std::optional<double>(sum / weight) : std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> Quantities::get(const std::string& id) const {
  const auto found = std::find_if(values_.begin(), values_.end(),
                                  [&](const auto& one) { return one.first == id; });
  return found == values_.end() ? std::nullopt : std::optional<double>(found->second);
}

std::optional<double> launch_time_s(const Session& session, const CounterMap* map,
                                    std::size_t launch) {
  const QuantityDefinition* time = map != nullptr ? map->find("time_s") : nullptr;
  if (time != nullptr) {
    if (const auto value = evaluate(*time, session.counters, launch); value && *value > 0) {
      return value;
    }
  }
  const Launch& one = session.launches[launch];
  if (one.end_ns > one.start_ns) {
    return (static_cast<double>(one.end_ns) - static_cast<double>(one.start_ns)) * 1e-9;
  }
  return std::nullopt;
}

Quantities gather_quantities(const Session& session, const CounterMap& map,
                             const std::vector<std::uint32_t>& launches,
                             std::vector<std::string>& incomplete) {
  Quantities result;
  for (const QuantityDefinition& quantity : map.quantities) {
    std::vector<double> values;
    std::vector<double> weights;
    for (const std::uint32_t launch : launches) {
      const auto value = evaluate(quantity, session.counters, launch);
      if (value && std::isfinite(*value)) {
        values.push_back(*value);
        weights.push_back(launch_time_s(session, &map, launch).value_or(1.0));
      }
    }
    if (!values.empty() && values.size() < launches.size() &&
        quantity.aggregate == Aggregate::sum) {
      incomplete.push_back(quantity.id);
      continue;
    }
    if (const auto value = aggregate(quantity, values, weights)) {
      result.set(quantity.id, *value);
    }
  }
  return result;
}

}  // namespace ridgepoint
