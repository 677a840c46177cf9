#include <fmt/format.h>

#include <algorithm>

#include "analyzer/roofline/placement.h"
#include "analyzer/rules/rule.h"

namespace ridgepoint {
namespace {

// Nsight Compute calls a pipe's utilisation high from 60 % on.
constexpr double high = 0.60;

std::optional<Diagnosis> look(const RuleContext&, const KernelAnalysis& kernel, std::size_t) {
  const auto xu = share_of_time(kernel, "xu_pipe_share");
  if (!xu || *xu < high) {
    return std::nullopt;
  }
  double next = 0;
  for (const char* pipe :
       {"tensor_pipe_active_share", "fma_pipe_share", "alu_pipe_share", "lsu_pipe_share"}) {
    next = std::max(next, share_of_time(kernel, pipe).value_or(0));
  }
  for (const auto& level : kernel.utilisation.values) {
    next = std::max(next, level.value_or(0));
  }
  if (*xu <= next) {
    return std::nullopt;
  }
  Diagnosis d;
  d.title = fmt::format("{} is limited by exponentials: the special-function pipe is {} busy",
                        kernel.short_name, percent(*xu));
  d.explanation =
      "The special-function unit gives 16 results a clock and SM; no other pipe is as busy. At "
      "head dimension 64 softmax "
      "needs one exponential for every 256 FLOP, at 128 for every 512.";
  d.evidence = {{"special-function pipe", *xu, "share", high},
                {"busiest other pipe or roof", next, "share", *xu}};
  d.action =
      "Fold the scale into exp2's argument so that each element takes one ex2, compute part of the "
      "exponentials with a "
      "polynomial on the FMA pipe, use packed half ex2, and overlap softmax with the products of "
      "another tile.";
  d.estimated_gain = bounded_gain(*xu - next, 1);
  d.gain_formula = "special-function pipe share - share of the next busiest pipe or roof";
  d.severity = severity_of_gain(*d.estimated_gain);
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule mufu_limit() {
  return {"mufu_limit", "another pipe or roof is busier",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
