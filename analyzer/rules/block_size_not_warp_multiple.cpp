#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analyzer/rules/rule.h"

namespace ridgepoint {
namespace {

constexpr double warp_threads = 32;

// Nsight Compute's block-size rule: the last warp of each block runs with idle lanes.
std::optional<Diagnosis> look(const RuleContext&, const KernelAnalysis& kernel, std::size_t) {
  const auto threads = static_cast<double>(count(kernel.block));
  const double rest = std::fmod(threads, warp_threads);
  // A block of one thread is what a kernel has whose block nobody recorded.
  if (threads <= 1 || rest == 0) {
    return std::nullopt;
  }
  Diagnosis d;
  d.title = fmt::format("{}: blocks of {:.0f} threads leave lanes of their last warp idle",
                        kernel.short_name, threads);
  d.explanation = fmt::format(
      "Instructions are issued for warps of 32 threads; the last warp has {:.0f}.", rest);
  d.evidence = {
      {"threads a block", threads, "1", std::ceil(threads / warp_threads) * warp_threads, true}};
  d.action = fmt::format("Use blocks of {:.0f} or {:.0f} threads.",
                         std::max(1.0, std::floor(threads / warp_threads)) * warp_threads,
                         std::ceil(threads / warp_threads) * warp_threads);
  d.estimated_gain =
      bounded_gain(1 / std::ceil(threads / warp_threads) * (1 - rest / warp_threads), 1);
  d.gain_formula = "(idle lanes of the last warp / 32) / warps a block";
  d.severity = severity_of_gain(*d.estimated_gain);
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule block_size_not_warp_multiple() {
  return {"block_size_not_warp_multiple", "the block is a multiple of 32 threads",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
