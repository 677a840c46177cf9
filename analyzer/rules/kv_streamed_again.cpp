#include <fmt/format.h>

#include <algorithm>

#include "analyzer/attention/flop.h"
#include "analyzer/core/text.h"
#include "analyzer/rules/rule.h"

namespace ridgepoint {
namespace {

// Half as much again cannot be explained by sectors fetched early or by other engines.
constexpr double far_above = 1.5;

std::optional<Diagnosis> look(const RuleContext& context, const KernelAnalysis& kernel,
                              std::size_t index) {
  const auto& read = kernel.traffic[MemoryLevel::hbm].read;
  if (kernel.role != "attention" || !context.analysis.attention || !read ||
      context.analysis.attention->direction != "forward") {
    return std::nullopt;
  }
  const AttentionShape& shape = *context.analysis.attention;
  const double needed =
      static_cast<double>(kernel.launches) * (query_bytes(shape) + 2 * key_bytes(shape));
  if (needed <= 0 || *read < far_above * needed) {
    return std::nullopt;
  }
  Diagnosis d;
  d.title =
      fmt::format("{} reads its inputs {:.1f} times from HBM", kernel.short_name, *read / needed);
  d.explanation = fmt::format(
      "Q, K and V are {}, and {} were read: the K and V that blocks work on at one time do not "
      "stay "
      "in the {} L2.",
      with_prefix(needed, "B"), with_prefix(*read, "B"),
      memory_size_text(context.devices[index]->l2_bytes));
  d.evidence = {{"HBM bytes read", *read, "byte", far_above * needed},
                {"Q + K + V", needed, "byte", std::nullopt}};
  d.action =
      "Work on fewer heads at a time, so that their K and V fit L2 (hand out the query tiles of "
      "one "
      "head before those of the next), use taller query tiles, or split the keys by L2 size.";
  if (const auto& used = kernel.utilisation[MemoryLevel::hbm]) {
    const double next = std::max({*used * needed / *read, kernel.compute_utilisation.value_or(0),
                                  kernel.utilisation[MemoryLevel::l2].value_or(0),
                                  kernel.utilisation[MemoryLevel::smem].value_or(0)});
    d.estimated_gain = bounded_gain(*used - next, 1);
    d.gain_formula = "HBM utilisation - max(that with the inputs read once, the next roof's)";
  }
  d.severity = severity_of_gain(d.estimated_gain.value_or(0));
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule kv_streamed_again() {
  return {"kv_streamed_again",
          "the kernel is not fused attention forward, or K and V were evicted by another program",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
