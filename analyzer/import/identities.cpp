#include "analyzer/import/identities.h"

#include <algorithm>
#include <cmath>

#include "analyzer/session/check_values.h"

namespace ridgepoint::importing {
namespace {

using Column = std::vector<double>;

// False when the file lacks a counter that the term needs.
bool add_term(const IdentityTerm& term, const CounterTable& counters, Column& sum) {
  std::vector<const Column*> factors;
  std::vector<const Column*> divisors;
  const auto find = [&](const std::vector<std::string>& names, std::vector<const Column*>& found) {
    return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
      found.push_back(counters.find(name));
      return found.back() != nullptr;
    });
  };
  if (!find(term.factors, factors) || !find(term.divisors, divisors)) {
    return false;
  }
  for (std::size_t row = 0; row < sum.size(); ++row) {
    double value = term.scale;
    for (const Column* factor : factors) {
      value *= (*factor)[row];
    }
    for (const Column* divisor : divisors) {
      value /= (*divisor)[row];
    }
    sum[row] += value;  // NaN, not measured, stays NaN
  }
  return true;
}

}  // namespace

std::size_t add_identities(const std::vector<CounterIdentity>& identities, std::size_t launches,
                           CounterTable& counters) {
  std::size_t added = 0;
  for (const CounterIdentity& identity : identities) {
    if (counters.find(identity.counter) != nullptr) {
      continue;
    }
    Column sum(launches, 0.0);
    const bool complete =
        std::all_of(identity.terms.begin(), identity.terms.end(),
                    [&](const IdentityTerm& term) { return add_term(term, counters, sum); });
    // Division by zero, overflow, and parts larger than their whole leave no value either.
    std::for_each(sum.begin(), sum.end(),
                  [](double& value) { value = possible_value(value) ? value : not_measured; });
    if (complete && std::any_of(sum.begin(), sum.end(), [](double v) { return !std::isnan(v); })) {
      counters.names.push_back(identity.counter);
      counters.columns.push_back(std::move(sum));
      ++added;
    }
  }
  return added;
}

}  // namespace ridgepoint::importing
