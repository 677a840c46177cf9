#include "analyzer/compare/quantity.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {
namespace {

template <class Subject>
const Quantity<Subject>* find(const std::vector<Quantity<Subject>>& list, const std::string& id) {
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const auto& one) { return one.id == id; });
  return found == list.end() ? nullptr : &*found;
}

constexpr const char* stall_prefix = "stalls.";
constexpr const char* counter_prefix = "quantities.";

// What follows the prefix, when `id` starts with it and goes on.
std::optional<std::string> after(const char* prefix, const std::string& id) {
  const std::string start = prefix;
  return id.size() > start.size() && id.rfind(start, 0) == 0
             ? std::optional<std::string>(id.substr(start.size()))
             : std::nullopt;
}

std::optional<double> finite(std::optional<double> value) {
  return value && std::isfinite(*value) ? value : std::nullopt;
}

}  // namespace

std::optional<QuantityInfo> kernel_quantity(const std::string& id) {
  if (const auto* known = find(kernel_quantities(), id)) {
    return *known;
  }
  if (const auto reason = after(stall_prefix, id)) {
    return QuantityInfo{id, "stalled: " + *reason, "share", Better::neither, Basis::counters};
  }
  if (const auto counter = after(counter_prefix, id)) {
    return QuantityInfo{id, *counter, "", Better::neither, Basis::counters};
  }
  return std::nullopt;
}

std::optional<QuantityInfo> variant_quantity(const std::string& id) {
  const auto* known = find(variant_quantities(), id);
  return known != nullptr ? std::optional<QuantityInfo>(*known) : std::nullopt;
}

std::optional<double> value_of(const KernelAnalysis& kernel, const std::string& id) {
  if (const auto* known = find(kernel_quantities(), id)) {
    return finite(known->value(kernel));
  }
  if (const auto reason = after(stall_prefix, id)) {
    const auto found = std::find_if(kernel.stalls.begin(), kernel.stalls.end(),
                                    [&](const StallShare& one) { return one.reason == *reason; });
    return found == kernel.stalls.end() ? std::nullopt : finite(found->share);
  }
  const auto counter = after(counter_prefix, id);
  return counter ? finite(kernel.quantity(*counter)) : std::nullopt;
}

std::optional<double> value_of(const VariantAnalysis& variant, const std::string& id) {
  const auto* known = find(variant_quantities(), id);
  return known != nullptr ? finite(known->value(variant)) : std::nullopt;
}

}  // namespace ridgepoint
