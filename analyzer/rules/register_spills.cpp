#include <fmt/format.h>

#include "analyzer/core/text.h"
#include "analyzer/rules/rule.h"

namespace ridgepoint {
namespace {

std::optional<Diagnosis> look(const RuleContext& context, const KernelAnalysis& kernel,
                              std::size_t) {
  const auto& local = context.session.kernels[kernel.session_kernel].local_bytes_per_thread;
  if (!local || *local <= 0) {
    return std::nullopt;
  }
  Diagnosis d;
  d.severity = Severity::notice;
  d.title = fmt::format("{} uses {} of local memory a thread", kernel.short_name,
                        memory_size_text(*local));
  d.explanation =
      "Local memory is device memory behind L1. It holds registers that did not fit, or arrays "
      "whose index is only known at "
      "run time.";
  d.evidence = {{"local memory a thread", static_cast<double>(*local), "byte", 0.0, true, true}};
  if (kernel.registers_per_thread) {
    d.evidence.push_back({"registers a thread", static_cast<double>(*kernel.registers_per_thread),
                          "1", std::nullopt});
  }
  d.action =
      "Look at ptxas -v for spills: unroll so that array indices are constant, shrink the tile a "
      "thread holds, or allow "
      "more registers with __launch_bounds__.";
  d.gain_formula = "not estimated: local traffic is not counted apart";
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule register_spills() {
  return {"register_spills", "the local memory is a debug build's, or serves a rare path only",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
