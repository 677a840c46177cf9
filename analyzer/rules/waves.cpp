#include "analyzer/rules/waves.h"

#include <algorithm>

#include "analyzer/rules/imbalance.h"

namespace ridgepoint {

std::optional<Diagnosis> wave_loss(const KernelAnalysis& kernel, double supposed,
                                   const std::string& formula, double full_waves) {
  const auto balance = sm_balance(kernel);
  const double lost = balance ? std::min(supposed, balance->idle()) : supposed;
  if (lost < noticeable_imbalance) {
    return std::nullopt;
  }
  Diagnosis d;
  d.evidence = {{"waves", kernel.occupancy.waves.value_or(0), "1", full_waves, true}};
  if (balance) {
    d.evidence.push_back({"idle SM time seen", balance->idle(), "share", noticeable_imbalance});
  }
  d.estimated_gain = bounded_gain(lost, 1);
  d.gain_formula = balance
                       ? "min(" + formula + ", (busiest - mean SM active cycles) / elapsed cycles)"
                       : formula;
  d.severity = severity_of_gain(*d.estimated_gain);
  return d;
}

}  // namespace ridgepoint
