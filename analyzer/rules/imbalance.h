// Rules about units that work for different times share a measure: the kernel ends with its busiest
// unit, so evened out it would be shorter by what the busiest works more than the mean. Nsight
// Compute's workload-imbalance rule weighs the same difference by mean / busiest as well; both
// speak from 5 % on.
#pragma once

#include <optional>
#include <string>

#include "analyzer/rules/rule.h"

namespace ridgepoint {

inline constexpr double noticeable_imbalance = 0.05;

// Shares of the kernel's time.
struct UnitBalance {
  double mean = 0;
  double busiest = 0;
  double idle() const { return busiest - mean; }
};

std::optional<UnitBalance> sm_balance(const KernelAnalysis& kernel);
// Of units whose active and elapsed cycles are quantities of the kernel.
std::optional<UnitBalance> balance_of(const KernelAnalysis& kernel, const std::string& mean_cycles,
                                      const std::string& busiest_cycles,
                                      const std::string& elapsed_cycles);

// Evidence, gain and severity of a finding about `unit` ("SM"); title, explanation and action are
// the caller's.
Diagnosis imbalance_found(const UnitBalance& balance, const std::string& unit);

}  // namespace ridgepoint
