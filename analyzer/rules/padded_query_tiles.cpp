// Few queries in tiles made for many: the tensor cores multiply rows that are no query. The heads
// of a group read the same keys, so that their queries can be the rows of one tile, which also lets
// K and V pass to the SMs once for all of them (analyzer/attention/split_kv.h).
#include <fmt/format.h>

#include <algorithm>

#include "analyzer/attention/split_kv.h"
#include "analyzer/rules/rule.h"

namespace ridgepoint {
namespace {

constexpr double mostly_padding = 2;      // FLOP executed / FLOP of the problem
constexpr std::int64_t fewest_rows = 16;  // M of mma.sync

// The largest query tile of the variant's kernels; 0 where none is known.
std::int64_t query_rows(const RuleContext& context, const VariantAnalysis& variant) {
  std::int64_t rows = 0;
  for (const std::size_t kernel : variant.kernels) {
    if (kernel < context.tiles.size() && !context.tiles[kernel].role.empty()) {
      rows = std::max(rows, context.tiles[kernel].block_m);
    }
  }
  return rows;
}

bool bound_by_hbm(const Analysis& analysis, const VariantAnalysis& variant) {
  const KernelAnalysis* longest = nullptr;
  for (const std::size_t kernel : variant.kernels) {
    const KernelAnalysis& one = analysis.kernels[kernel];
    if (longest == nullptr || one.time_s.value_or(0) > longest->time_s.value_or(0)) {
      longest = &one;
    }
  }
  return longest != nullptr && longest->bound_by == BoundBy::hbm;
}

// The fastest variant of the run that executes at most half as much in excess.
const VariantAnalysis* leaner_than(const Analysis& analysis, const VariantAnalysis& variant) {
  const VariantAnalysis* fastest = nullptr;
  for (const VariantAnalysis& other : analysis.variants) {
    if (other.time_s && other.flop_excess() && *other.flop_excess() * 2 <= *variant.flop_excess() &&
        *other.time_s < *variant.time_s &&
        (fastest == nullptr || *other.time_s < *fastest->time_s)) {
      fastest = &other;
    }
  }
  return fastest;
}

std::string what_to_do(const AttentionShape& shape, const VariantAnalysis* leaner,
                       const VariantAnalysis& variant) {
  std::string text =
      shape.heads > shape.kv_heads
          ? fmt::format(
                "Pack the {} query heads of a group as rows of one tile, so that K and V "
                "pass to the SMs once for all of them, and take",
                shape.heads / shape.kv_heads)
          : "Take";
  text += fmt::format(
      " tiles of 16 query rows where these suffice; share the keys out among several blocks where "
      "that leaves too few (split-KV).");
  if (leaner != nullptr) {
    text += fmt::format(
        " In this run, {} executes {:.3g} times the FLOP instead of {:.3g}, in "
        "{} instead of {}.",
        leaner->name, *leaner->flop_excess(), *variant.flop_excess(), time_text(*leaner->time_s),
        time_text(*variant.time_s));
  }
  return text;
}

std::optional<Diagnosis> look_at(const RuleContext& context, const VariantAnalysis& variant) {
  const Analysis& analysis = context.analysis;
  const AttentionShape& shape = *analysis.attention;
  const auto excess = variant.flop_excess();
  const std::int64_t tile = query_rows(context, variant);
  const auto rows = static_cast<double>(shape.seqlen_q);
  if (!excess || *excess < mostly_padding || !variant.time_s || *variant.time_s <= 0 ||
      tile <= fewest_rows || rows <= 0 || rows * 2 > static_cast<double>(tile) ||
      bound_by_hbm(analysis, variant)) {
    return std::nullopt;
  }
  Diagnosis d;
  d.variant = variant.name;
  d.title = fmt::format(
      "{} multiplies {:.3g} times what the problem needs: {} of {} rows of a "
      "query tile are queries",
      variant.name, *excess, shape.seqlen_q, tile);
  d.explanation =
      "The other rows are padding. They take the tensor cores, registers and shared memory as "
      "queries do, and every query head reads its keys alone.";
  d.evidence = {{"FLOP executed / FLOP of the products", *excess, "1", mostly_padding},
                {"query rows a tile", static_cast<double>(tile), "1", 2 * rows, true},
                {"query rows that share keys", packed_rows(shape), "1", std::nullopt}};
  const VariantAnalysis* leaner = leaner_than(analysis, variant);
  d.action = what_to_do(shape, leaner, variant);
  if (leaner != nullptr) {
    d.estimated_gain = 1 - *leaner->time_s / *variant.time_s;
    d.gain_kind = GainKind::measured;
    d.gain_formula = fmt::format("1 - time of {} / time of {}", leaner->name, variant.name);
  }
  d.severity = leaner != nullptr ? severity_of_gain(*d.estimated_gain) : Severity::warning;
  return d;
}

std::vector<Diagnosis> look(const RuleContext& context) {
  std::vector<Diagnosis> found;
  const auto& shape = context.analysis.attention;
  if (shape && shape->direction == "forward" && shape->kv_heads > 0) {
    for (const VariantAnalysis& variant : context.analysis.variants) {
      if (auto diagnosis = look_at(context, variant)) {
        found.push_back(std::move(*diagnosis));
      }
    }
  }
  return found;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule padded_query_tiles() {
  return {"padded_query_tiles",
          "queries fill half of a tile or more, tiles have 16 rows already, or HBM binds the "
          "variant, so that padding costs no time",
          look};
}

}  // namespace ridgepoint::rules
