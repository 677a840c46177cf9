#include "reports/presenters/summary.h"

#include <algorithm>

#include "analyzer/core/text.h"
#include "reports/presenters/format.h"
#include "reports/presenters/labels.h"

namespace ridgepoint {
namespace {

std::string plural(std::size_t number, const char* noun) {
  return format_quantity(static_cast<double>(number), Unit::count) + " " + noun +
         (number == 1 ? "" : "s");
}

void add_comparison_cards(const VariantAnalysis& first, const VariantAnalysis& last,
                          std::vector<SummaryCard>& cards) {
  const std::string name = printable(last.name);
  const std::string base = printable(first.name);
  if (last.speedup_over_first && first.time_s && last.time_s) {
    cards.push_back({"Speed-up of " + name, format_quantity(*last.speedup_over_first, Unit::factor),
                     format_quantity(*last.time_s, Unit::second) + " against " +
                         format_quantity(*first.time_s, Unit::second) + " for " + base});
  }
  const auto& before = first.traffic[MemoryLevel::hbm].measured.total;
  const auto& after = last.traffic[MemoryLevel::hbm].measured.total;
  if (before && after && *after > 0 && *before > 0) {
    const bool fewer = *before >= *after;
    cards.push_back({fewer ? "Fewer HBM bytes" : "More HBM bytes",
                     format_quantity(fewer ? *before / *after : *after / *before, Unit::factor),
                     format_quantity(*after, Unit::byte) + " against " +
                         format_quantity(*before, Unit::byte) + " for " + base});
  }
}

void add_variant_cards(const Analysis& analysis, const VariantAnalysis& variant,
                       std::vector<SummaryCard>& cards) {
  const std::string name = printable(variant.name);
  if (variant.achieved_flop_per_s) {
    std::string detail = "FLOP of the problem / time";
    const Ceiling* ceiling = analysis.ceiling(variant.flop.precision);
    if (ceiling != nullptr && ceiling->theoretical && *ceiling->theoretical > 0) {
      detail = format_quantity(*variant.achieved_flop_per_s / *ceiling->theoretical, Unit::share) +
               " of the " + precision_label(analysis, ceiling->id) +
               " peak at the highest clock, by the " +
               (variant.latency ? "median latency" : "summed kernel time");
    }
    cards.push_back({"Analytic FLOP rate of " + name,
                     format_quantity(*variant.achieved_flop_per_s, Unit::flop_per_s), detail});
  }
  if (variant.latency) {
    cards.push_back(
        {"P99 latency of " + name, format_quantity(variant.latency->p99, Unit::second),
         "median " + format_quantity(variant.latency->p50, Unit::second) + ", " +
             plural(static_cast<std::size_t>(std::max<std::int64_t>(variant.latency->count, 0)),
                    "repeat")});
  }
}

void add_kernel_cards(const Analysis& analysis, std::vector<SummaryCard>& cards) {
  double time = 0;
  std::int64_t launches = 0;
  const KernelAnalysis* longest = nullptr;
  for (const KernelAnalysis& kernel : analysis.kernels) {
    launches += kernel.launches;
    time += kernel.time_s.value_or(0);
    if (kernel.time_s && (longest == nullptr || *kernel.time_s > *longest->time_s)) {
      longest = &kernel;
    }
  }
  cards.push_back({"Kernels",
                   format_quantity(static_cast<double>(analysis.kernels.size()), Unit::count),
                   format_quantity(static_cast<double>(launches), Unit::count) + " launches"});
  if (longest != nullptr) {
    cards.push_back({"GPU time", format_quantity(time, Unit::second), "summed over all kernels"});
    cards.push_back(
        {"Longest kernel", format_quantity(longest->time_share, Unit::share),
         printable(longest->short_name) + (longest->bound_by == BoundBy::unknown
                                               ? ""
                                               : ", bound by " + bound_text(analysis, *longest))});
  }
}

void add_target_card(const Analysis& analysis, std::vector<SummaryCard>& cards) {
  std::size_t met = 0;
  std::size_t missed = 0;
  for (const TargetResult& target : analysis.targets) {
    met += target.verdict == Verdict::met ? 1U : 0U;
    missed += target.verdict == Verdict::missed ? 1U : 0U;
  }
  if (met + missed > 0) {
    cards.push_back({"Targets met", std::to_string(met) + " of " + std::to_string(met + missed),
                     "those that apply"});
  }
}

}  // namespace

std::string headline(const Analysis& analysis) {
  if (!analysis.variants.empty()) {
    std::string names;
    for (const VariantAnalysis& variant : analysis.variants) {
      names += (names.empty() ? "" : " beside ") + printable(variant.name);
    }
    return (analysis.attention ? "Attention: " : "") + names;
  }
  if (analysis.producer.mode == "ceilings") {
    return "What this GPU reaches";
  }
  return "Profile of " + plural(analysis.kernels.size(), "kernel");
}

const VariantAnalysis* fastest_other(const Analysis& analysis) {
  const VariantAnalysis* fastest = nullptr;
  for (std::size_t i = 1; i < analysis.variants.size(); ++i) {
    const VariantAnalysis& one = analysis.variants[i];
    if (fastest == nullptr ||
        one.speedup_over_first.value_or(0) > fastest->speedup_over_first.value_or(0)) {
      fastest = &one;
    }
  }
  return fastest;
}

std::vector<SummaryCard> summary_cards(const Analysis& analysis) {
  std::vector<SummaryCard> cards;
  if (const VariantAnalysis* fastest = fastest_other(analysis)) {
    add_comparison_cards(analysis.variants.front(), *fastest, cards);
    add_variant_cards(analysis, *fastest, cards);
  } else if (!analysis.variants.empty()) {
    add_variant_cards(analysis, analysis.variants.front(), cards);
  } else {
    add_kernel_cards(analysis, cards);
  }
  add_target_card(analysis, cards);
  return cards;
}

}  // namespace ridgepoint
