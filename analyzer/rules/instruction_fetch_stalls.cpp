#include <fmt/format.h>

#include "analyzer/rules/rule.h"
#include "analyzer/rules/stall_rule.h"

namespace ridgepoint {
namespace {

std::optional<Diagnosis> look(const RuleContext&, const KernelAnalysis& kernel, std::size_t) {
  return leading_stall(kernel, {"no_instruction", "wait for instructions",
                                "Their next instruction is not in the instruction cache: the code "
                                "is larger than the cache, or jumps about in it.",
                                "Unroll less, keep rarely taken paths out of the loop, and shorten "
                                "branches over large code."});
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule instruction_fetch_stalls() {
  return {"instruction_fetch_stalls",
          "issue slots are used at 80 % or more, or the kernel is so short that it runs only once "
          "through its code",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
