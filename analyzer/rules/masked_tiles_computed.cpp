#include <fmt/format.h>

#include "analyzer/rules/rule.h"

namespace ridgepoint {
namespace {

constexpr double noticeable = 1.10;  // half a tile on the diagonal costs less in any long sequence

std::vector<Diagnosis> look_at_run(const RuleContext& context) {
  const Analysis& analysis = context.analysis;
  std::vector<Diagnosis> found;
  if (!analysis.attention || !analysis.attention->causal) {
    return found;
  }
  for (const VariantAnalysis& variant : analysis.variants) {
    const auto& counted = variant.flop.tensor;
    const auto& needed = variant.algorithm_flop;
    if (!counted || !needed || *needed <= 0 || *counted < noticeable * *needed) {
      continue;
    }
    Diagnosis d;
    d.variant = variant.name;
    d.title = fmt::format("{} computes {:.2f} times the products that the causal mask lets through",
                          variant.name, *counted / *needed);
    d.explanation =
        "Pairs above the diagonal are multiplied and then masked: whole tiles of them, or parts of "
        "tiles that are large for the sequence.";
    d.evidence = {{"tensor FLOP counted", *counted, "FLOP", noticeable * *needed},
                  {"FLOP of the visible pairs", *needed, "FLOP", std::nullopt}};
    d.action =
        "End each query tile's walk at its last visible key, and use smaller key tiles at the "
        "diagonal.";
    d.estimated_gain = bounded_gain(1 - *needed / *counted, 1);
    d.gain_formula = "1 - FLOP of the visible pairs / FLOP counted";
    d.severity = severity_of_gain(*d.estimated_gain);
    found.push_back(std::move(d));
  }
  return found;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule masked_tiles_computed() {
  return {"masked_tiles_computed",
          "the mask is not causal, or another roof than compute is nearest",
          [](const RuleContext& context) { return look_at_run(context); }};
}

}  // namespace ridgepoint::rules
