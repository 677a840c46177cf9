#include <fmt/format.h>

#include "analyzer/rules/rule.h"
#include "analyzer/rules/stall_rule.h"

namespace ridgepoint {
namespace {

std::optional<Diagnosis> look(const RuleContext&, const KernelAnalysis& kernel, std::size_t) {
  return leading_stall(kernel,
                       {"math_pipe_throttle", "wait for a busy arithmetic pipe",
                        "The pipe of their next instruction takes no more for now: one kind of "
                        "instruction is issued faster than its unit works.",
                        "Spread the instruction mix: interleave products with other work, and move "
                        "work from the busy pipe to an idle one. If the pipe is the tensor pipe "
                        "and nearly full, this is what success looks like."});
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule math_pipe_stalls() {
  return {"math_pipe_stalls", "issue slots are used at 80 % or more",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
