#include "analyzer/metrics/counter_map.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {

const QuantityDefinition* CounterMap::find(const std::string& id) const {
  const auto found = std::find_if(quantities.begin(), quantities.end(),
                                  [&](const QuantityDefinition& q) { return q.id == id; });
  return found == quantities.end() ? nullptr : &*found;
}

Result<std::vector<std::string>> CounterMap::counters(const std::string& profile) const {
  const auto ids = profiles.find(profile);
  if (ids == profiles.end()) {
    std::string known;
    for (const auto& [name, unused] : profiles) {
      known += (known.empty() ? "" : ", ") + name;
    }
    return fail(ErrorDomain::usage, "choosing the counter profile '" + profile + "'",
                "the counter map of " + family + " has no such profile", "choose one of: " + known);
  }
  std::vector<std::string> names;
  for (const QuantityDefinition& quantity : quantities) {
    if (std::find(ids->second.begin(), ids->second.end(), quantity.id) == ids->second.end()) {
      continue;
    }
    for (const CounterTerm& term : quantity.terms) {
      if (std::find(names.begin(), names.end(), term.counter) == names.end()) {
        names.push_back(term.counter);
      }
    }
  }
  return names;
}

std::optional<double> evaluate(const QuantityDefinition& quantity, const CounterTable& counters,
                               std::size_t launch) {
  if (quantity.terms.empty()) {
    return std::nullopt;
  }
  double value = 0;
  for (const CounterTerm& term : quantity.terms) {
    const std::vector<double>* column = counters.find(term.counter);
    if (column == nullptr || launch >= column->size() || !std::isfinite((*column)[launch])) {
      return std::nullopt;
    }
    value += term.scale * (*column)[launch];
  }
  return value;
}

}  // namespace ridgepoint
