#include "reports/csv/counter_names.h"

#include <set>

namespace ridgepoint {
namespace {

// The unit that the counter itself has, of which `scale` made the quantity's.
std::string counter_unit(const std::string& unit, double scale) {
  if (unit == "s" && scale == 1e-9) {
    return "ns";
  }
  if (unit == "share" && scale == 0.01) {
    return "%";
  }
  return scale == 1 ? unit : "1";  // instructions, sectors, wavefronts
}

}  // namespace

std::vector<NamedQuantity> named_quantities(const CounterMap& map, bool ncu_names) {
  std::vector<NamedQuantity> named;
  std::set<std::string> used;
  for (const QuantityDefinition& quantity : map.quantities) {
    NamedQuantity one{quantity.id, quantity.id, quantity.unit, 1};
    if (ncu_names && quantity.terms.size() == 1) {
      const CounterTerm& term = quantity.terms.front();
      one = {quantity.id, term.counter, counter_unit(quantity.unit, term.scale), term.scale};
    }
    if (used.insert(one.name).second) {
      named.push_back(std::move(one));
    }
  }
  return named;
}

CounterMap counter_map_of(const Analysis& analysis) {
  if (analysis.devices.empty()) {
    return {};
  }
  Result<CounterMap> map = load_counter_map(analysis.devices.front().chip);
  return map ? std::move(*map) : CounterMap();
}

}  // namespace ridgepoint
