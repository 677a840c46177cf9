#include <fmt/format.h>

#include "analyzer/rules/rule.h"
#include "analyzer/rules/stall_rule.h"

namespace ridgepoint {
namespace {

std::optional<Diagnosis> look(const RuleContext&, const KernelAnalysis& kernel, std::size_t) {
  return leading_stall(
      kernel,
      {"barrier", "wait at barriers",
       "Warps of a block reach __syncthreads at different times, and the early ones wait for the "
       "last.",
       "Balance the work between the warps of a block, use smaller blocks or barriers among fewer "
       "warps, and hand tiles over by mbarriers, which only those who need the tile wait for."});
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule barrier_stalls() {
  return {"barrier_stalls", "issue slots are used at 80 % or more",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
