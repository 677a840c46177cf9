#include <fmt/format.h>

#include <algorithm>

#include "analyzer/roofline/placement.h"
#include "analyzer/rules/rule.h"
#include "analyzer/rules/tensor_use.h"

namespace ridgepoint {
namespace {

constexpr std::int32_t hopper =
    9;  // compute capability 9.x has wgmma (PTX ISA, "Asynchronous warpgroup-level matrix")

std::optional<Diagnosis> look(const RuleContext& context, const KernelAnalysis& kernel,
                              std::size_t index) {
  const auto legacy = kernel.quantity("mma_instructions");
  const auto gmma = kernel.quantity("gmma_instructions");
  const bool multiplies = multiplies_on_tensor_cores(kernel);
  if (!multiplies || kernel.bound_by == BoundBy::hbm ||
      context.devices[index]->compute_capability_major != hopper || !legacy || !gmma ||
      *legacy <= 0 || *gmma > 0) {
    return std::nullopt;
  }
  Diagnosis d;
  d.title = fmt::format("{} uses mma.sync where the GPU has wgmma", kernel.short_name);
  d.explanation =
      "Compute capability 9.x feeds its tensor cores at full rate only by warpgroup instructions, "
      "which read operands from "
      "shared memory asynchronously; mma.sync keeps the pipe busy longer for the same FLOP and "
      "spends registers and "
      "issue slots on loading fragments.";
  d.evidence = {{"mma.sync instructions", *legacy, "1", std::nullopt},
                {"wgmma instructions", *gmma, "1", 1.0}};
  const auto active = share_of_time(kernel, "tensor_pipe_active_share");
  if (active && kernel.compute_utilisation && kernel.flop.tensor.value_or(0) > 0) {
    d.evidence.push_back({"tensor pipe active", *active, "share", std::nullopt});
    d.evidence.push_back({"compute utilisation", *kernel.compute_utilisation, "share", *active});
    d.estimated_gain = bounded_gain(*active - *kernel.compute_utilisation, 1);
    d.gain_formula =
        "tensor pipe active - FLOP / peak: pipe time that would not be needed at full rate";
  }
  d.severity = severity_of_gain(d.estimated_gain.value_or(0));
  d.action =
      "Rewrite the products with wgmma.mma_async (m64nNk16), operands in 128-byte-swizzled shared "
      "memory, loaded by "
      "TMA; keep P of the second product in registers.";
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule mma_where_wgmma_exists() {
  return {"mma_where_wgmma_exists",
          "the GPU is not of compute capability 9.x, or the kernel is bound by HBM so that faster "
          "products would not show",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
