#include <fmt/format.h>

#include "analyzer/rules/rule.h"

namespace ridgepoint {
namespace {

constexpr std::int32_t first_with_tma = 9;  // PTX ISA, cp.async.bulk.tensor: sm_90 and later

std::optional<Diagnosis> look(const RuleContext& context, const KernelAnalysis& kernel,
                              std::size_t index) {
  const auto gmma = kernel.quantity("gmma_instructions");
  const auto tma = kernel.quantity("tma_instructions");
  if (context.devices[index]->compute_capability_major < first_with_tma || !gmma || *gmma <= 0 ||
      !tma || *tma > 0) {
    return std::nullopt;
  }
  Diagnosis d;
  d.severity = Severity::notice;
  d.title = fmt::format("{} feeds wgmma without TMA", kernel.short_name);
  d.explanation =
      "Its tiles are copied by ordinary instructions, which take issue slots, registers for "
      "addresses and whole warps; one TMA instruction copies a tile and swizzles it.";
  d.evidence = {{"wgmma instructions", *gmma, "1", std::nullopt},
                {"TMA instructions", *tma, "1", 1.0}};
  if (const auto lsu = kernel.quantity("lsu_pipe_share")) {
    d.evidence.push_back({"load/store pipe", *lsu, "share", std::nullopt});
  }
  d.action =
      "Load tiles by cp.async.bulk.tensor from one thread of a producer warp, complete them on an "
      "mbarrier, and give the producer's registers to the consumers by setmaxnreg.";
  d.gain_formula =
      "not estimated: depends on what the freed issue slots and registers are used for";
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule tma_absent() {
  return {"tma_absent",
          "the GPU has no TMA, the kernel has no wgmma, or its rows are gathered through an index",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
