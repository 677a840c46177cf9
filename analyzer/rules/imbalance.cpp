#include "analyzer/rules/imbalance.h"

#include <algorithm>

namespace ridgepoint {

std::optional<UnitBalance> sm_balance(const KernelAnalysis& kernel) {
  const auto& mean = kernel.balance.active_mean_share;
  const auto& busiest = kernel.balance.active_max_share;
  return mean && busiest ? std::optional<UnitBalance>({*mean, *busiest}) : std::nullopt;
}

std::optional<UnitBalance> balance_of(const KernelAnalysis& kernel, const std::string& mean_cycles,
                                      const std::string& busiest_cycles,
                                      const std::string& elapsed_cycles) {
  const auto mean = kernel.quantity(mean_cycles);
  const auto busiest = kernel.quantity(busiest_cycles);
  const auto elapsed = kernel.quantity(elapsed_cycles);
  if (!mean || !busiest || !elapsed || *elapsed <= 0) {
    return std::nullopt;
  }
  // Counted in different passes, a unit may seem to work longer than the kernel runs.
  const double whole = std::max(*elapsed, *busiest);
  return UnitBalance{*mean / whole, *busiest / whole};
}

Diagnosis imbalance_found(const UnitBalance& balance, const std::string& unit) {
  Diagnosis d;
  d.evidence = {{unit + " active, mean", balance.mean, "share", balance.busiest},
                {unit + " active, busiest", balance.busiest, "share", std::nullopt}};
  d.estimated_gain = bounded_gain(balance.idle(), 1);
  d.gain_formula = "(busiest - mean " + unit + " active cycles) / elapsed cycles";
  d.severity = severity_of_gain(*d.estimated_gain);
  return d;
}

}  // namespace ridgepoint
