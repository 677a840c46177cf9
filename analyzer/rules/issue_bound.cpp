#include <fmt/format.h>

#include "analyzer/roofline/placement.h"
#include "analyzer/rules/rule.h"

namespace ridgepoint {
namespace {

// A scheduler issues one instruction a cycle, whatever the instruction does (Nsight Compute's
// issue-slot utilisation, sm__inst_issued over 4 schedulers).
std::optional<Diagnosis> look(const RuleContext&, const KernelAnalysis& kernel, std::size_t) {
  const auto used = share_of_time(kernel, "issue_active_share");
  if (kernel.bound_by != BoundBy::issue || !used) {
    return std::nullopt;
  }
  Diagnosis d;
  d.severity = Severity::info;
  d.title = fmt::format("{} is bound by issue slots: {} of them are used", kernel.short_name,
                        percent(*used));
  d.explanation =
      "No memory level and no arithmetic pipe is as busy: its time follows the number of "
      "instructions, whatever they do.";
  d.evidence = {{"issue slots used", *used, "share", latency_bound_below}};
  if (const auto pipe = busiest_pipe(kernel)) {
    d.evidence.push_back({pipe->name, pipe->share, "share", std::nullopt});
  }
  if (kernel.utilisation[MemoryLevel::hbm]) {
    d.evidence.push_back({"HBM bandwidth utilisation", *kernel.utilisation[MemoryLevel::hbm],
                          "share", std::nullopt});
  }
  d.action =
      "Do the same work with fewer instructions: 16-byte loads and stores, packed arithmetic on "
      "two halves, unrolled loops and less address arithmetic.";
  d.gain_formula = "not estimated: which instructions can go is not measured";
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule issue_bound() {
  return {"issue_bound", "a roof or an arithmetic pipe is busier than the issue slots",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
