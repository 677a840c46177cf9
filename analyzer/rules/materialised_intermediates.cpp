#include <fmt/format.h>

#include <algorithm>

#include "analyzer/rules/rule.h"

namespace ridgepoint {
namespace {

// Twice the compulsory traffic cannot be explained by caches that miss a little.
constexpr double far_above = 2;

bool is_backward(const Analysis& analysis) {
  return analysis.attention && analysis.attention->direction == "backward";
}

bool has_role(const Analysis& analysis, const VariantAnalysis& variant, const char* role) {
  return std::any_of(variant.kernels.begin(), variant.kernels.end(),
                     [&](std::size_t kernel) { return analysis.kernels[kernel].role == role; });
}

// The fastest variant of the run that keeps the scores on chip.
const VariantAnalysis* fused_in(const Analysis& analysis) {
  const VariantAnalysis* fastest = nullptr;
  for (const VariantAnalysis& variant : analysis.variants) {
    const bool on_chip =
        has_role(analysis, variant, is_backward(analysis) ? "gradients" : "attention");
    if (on_chip && variant.time_s && (fastest == nullptr || *variant.time_s < *fastest->time_s)) {
      fastest = &variant;
    }
  }
  return fastest;
}

bool writes_scores(const Analysis& analysis, const VariantAnalysis& variant) {
  return has_role(analysis, variant, is_backward(analysis) ? "d_scores" : "scores");
}

// Without a fused variant to compare with: at full bandwidth the excess bytes take at least this.
void estimate_gain(Diagnosis& d, const Analysis& analysis, const VariantAnalysis& variant,
                   double excess_bytes) {
  const Ceiling* hbm = analysis.ceiling("hbm");
  if (hbm == nullptr || !hbm->theoretical) {
    return;
  }
  double least = 0;  // the products' time at their roof is not saved
  const Ceiling* compute = analysis.ceiling(variant.flop.precision);
  if (compute != nullptr && compute->theoretical && variant.analytic_flop) {
    least = *variant.analytic_flop / *compute->theoretical / *variant.time_s;
  }
  d.estimated_gain = bounded_gain(excess_bytes / *hbm->theoretical / *variant.time_s, 1 - least);
  d.gain_kind = GainKind::at_least;
  d.gain_formula =
      "min((HBM bytes - compulsory bytes) / HBM peak / time, 1 - FLOP / compute peak / time): the "
      "time that the excess bytes take at full bandwidth";
}

std::optional<Diagnosis> look_at(const Analysis& analysis, const VariantAnalysis& variant) {
  const auto& moved = variant.traffic[MemoryLevel::hbm].measured.total;
  if (!moved || !variant.compulsory_bytes || *moved < far_above * *variant.compulsory_bytes ||
      !variant.time_s || !writes_scores(analysis, variant)) {
    return std::nullopt;
  }
  const double excess = *moved - *variant.compulsory_bytes;
  Diagnosis d;
  d.variant = variant.name;
  const bool backward = is_backward(analysis);
  d.title =
      fmt::format("{} writes {} to HBM: {:.0f} times the bytes the problem needs", variant.name,
                  backward ? "dP and dS" : "S and P", *moved / *variant.compulsory_bytes);
  d.explanation = fmt::format(
      "It moves {} where inputs and outputs are {}. {}, quadratic in the sequence length, {}",
      with_prefix(*moved, "B"), with_prefix(*variant.compulsory_bytes, "B"),
      backward ? "The probabilities P and the gradients dP and dS"
               : "The scores S and the probabilities P",
      backward ? "pass through memory: P from the forward pass, the others between its kernels."
               : "are written and read back between its kernels.");
  d.evidence = {{"HBM bytes", *moved, "byte", far_above * *variant.compulsory_bytes},
                {"compulsory bytes", *variant.compulsory_bytes, "byte", std::nullopt}};
  if (variant.traffic[MemoryLevel::hbm].predicted) {
    d.evidence.push_back({"HBM bytes by the IO model", *variant.traffic[MemoryLevel::hbm].predicted,
                          "byte", std::nullopt});
  }
  d.action =
      backward
          ? "Keep only O and the LSE of the forward pass: hold a tile of keys on chip, stream Q "
            "and "
            "dO past it, and compute P again from the LSE, a fifth product that costs no memory."
          : "Fuse the three kernels: hold a tile of queries on chip, stream K and V past it, and "
            "keep S and P in registers with an online softmax.";
  const VariantAnalysis* fused = fused_in(analysis);
  if (fused != nullptr) {
    d.action += fmt::format(" In this run, {} does that in {} instead of {}.", fused->name,
                            time_text(*fused->time_s), time_text(*variant.time_s));
  }
  if (fused != nullptr && *fused->time_s < *variant.time_s) {
    d.estimated_gain = 1 - *fused->time_s / *variant.time_s;
    d.gain_kind = GainKind::measured;
    d.gain_formula = fmt::format("1 - time of {} / time of {}", fused->name, variant.name);
  } else {
    estimate_gain(d, analysis, variant, excess);
  }
  d.severity = severity_of_gain(d.estimated_gain.value_or(0));
  return d;
}

std::vector<Diagnosis> look(const RuleContext& context) {
  std::vector<Diagnosis> found;
  for (const VariantAnalysis& variant : context.analysis.variants) {
    if (auto diagnosis = look_at(context.analysis, variant)) {
      found.push_back(std::move(*diagnosis));
    }
  }
  return found;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule materialised_intermediates() {
  return {"materialised_intermediates", "the scores fit the L2, so that they never reach HBM",
          look};
}

}  // namespace ridgepoint::rules
