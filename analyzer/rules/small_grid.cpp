#include <fmt/format.h>

#include "analyzer/rules/rule.h"
#include "analyzer/rules/scope.h"

namespace ridgepoint {
namespace {

// Nsight Compute's small-grid rule: fewer blocks than SMs; the estimate is the share of SMs without
// a block.
std::optional<Diagnosis> look(const RuleContext& context, const KernelAnalysis& kernel,
                              std::size_t index) {
  const auto blocks = static_cast<double>(count(kernel.grid));
  const auto sms = static_cast<double>(context.devices[index]->sm_count);
  if (sms <= 0 || !has_idle_sms(context, kernel, index) || wants_split_kv(context, kernel, index)) {
    return std::nullopt;
  }
  const double idle = (sms - blocks) / sms;
  Diagnosis d;
  d.title = fmt::format("{}: {:.0f} block{} for {:.0f} SMs", kernel.short_name, blocks,
                        blocks == 1 ? "" : "s", sms);
  d.explanation = fmt::format("{} of the SMs never get a block.", percent(idle));
  d.evidence = {{"blocks", blocks, "1", sms, true}};
  d.action = kernel.role == "attention"
                 ? fmt::format(
                       "Split the keys of each head over about {:.0f} blocks and combine the "
                       "partial results with "
                       "their log-sum-exp (split-KV), or use smaller query tiles.",
                       sms / blocks)
                 : "Use smaller tiles, or split the reduction over several blocks.";
  d.estimated_gain = idle;
  d.gain_formula = "(SMs - blocks) / SMs";
  d.severity = severity_of_gain(idle);
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule small_grid() {
  return {"small_grid",
          "the kernel runs beside others that fill the device, or split_kv_for_small_grids speaks",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
