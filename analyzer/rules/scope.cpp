#include "analyzer/rules/scope.h"

#include <cmath>

#include "analyzer/session/range_row.h"

namespace ridgepoint {

bool has_tail(double waves) {
  const double whole = std::floor(waves);
  return whole >= 1 && whole <= 4 && waves > whole;
}

bool has_idle_sms(const RuleContext& context, const KernelAnalysis& kernel, std::size_t index) {
  return !is_range_row(kernel.name) && static_cast<double>(count(kernel.grid)) <
                                           static_cast<double>(context.devices[index]->sm_count);
}

bool is_causal_attention(const RuleContext& context, const KernelAnalysis& kernel) {
  return kernel.role == "attention" && context.analysis.attention &&
         context.analysis.attention->causal;
}

bool wants_split_kv(const RuleContext& context, const KernelAnalysis& kernel, std::size_t index) {
  const auto blocks = static_cast<double>(count(kernel.grid));
  const auto sms = static_cast<double>(context.devices[index]->sm_count);
  return kernel.role == "attention" && context.analysis.attention && blocks < 0.8 * sms;
}

}  // namespace ridgepoint
