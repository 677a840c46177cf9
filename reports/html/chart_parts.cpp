#include <fmt/format.h>

#include <algorithm>

#include "analyzer/core/text.h"
#include "reports/charts/palette.h"
#include "reports/html/page_parts.h"
#include "reports/presenters/elide.h"
#include "reports/presenters/format.h"
#include "reports/presenters/labels.h"
#include "reports/presenters/stall_kinds.h"

namespace ridgepoint::html {
namespace {

// The class of a kind's colour in report.css.
const char* css_of(StallKind kind) {
  switch (kind) {
    case StallKind::memory:
      return "memory";
    case StallKind::other_memory:
      return "memory2";
    case StallKind::math:
      return "math";
    case StallKind::barrier:
      return "sync";
    case StallKind::issue:
      return "issue";
    case StallKind::other:
      break;
  }
  return "rest";
}

constexpr std::size_t most_stall_bars = 40;
constexpr std::size_t longest_name = 26;  // in the 190 pixels that the style sheet leaves it

Data bar(const std::string& name, const std::string& series, const std::optional<double>& bytes,
         double longest, bool predicted) {
  Data data(Data::type::object);
  data.set("name", name);
  // What is not known has no bar, not even a short one.
  data.set("series", bytes ? series : "absent");
  data.set("predicted", Data(predicted));
  data.set(
      "percent",
      fmt::format("{:.2f}", bytes && longest > 0 ? 100 * std::max(0.0, *bytes) / longest : 0.0));
  data.set("value", format_quantity(bytes, Unit::byte));
  return data;
}

}  // namespace

Data traffic_data(const Analysis& analysis) {
  Data levels(Data::type::list);
  for (const MemoryLevel level : memory_levels) {
    double longest = 0;
    for (const VariantAnalysis& variant : analysis.variants) {
      const LevelPrediction& p = variant.traffic[level];
      longest = std::max({longest, p.measured.total.value_or(0), p.predicted.value_or(0)});
    }
    Data bars(Data::type::list);
    for (std::size_t v = 0; v < analysis.variants.size(); ++v) {
      const VariantAnalysis& variant = analysis.variants[v];
      const std::string series = series_class(variant.name, v);
      const std::string name = printable(variant.name);
      const bool ran = !nothing_ran(analysis);
      if (ran) {
        bars << bar(name, series, variant.traffic[level].measured.total, longest, false);
      }
      bars << bar(ran ? "" : name, series, variant.traffic[level].predicted, longest, true);
    }
    Data models(Data::type::list);
    for (const VariantAnalysis& variant : analysis.variants) {
      const LevelPrediction& p = variant.traffic[level];
      if (!p.predicted) {
        continue;
      }
      std::optional<double> ratio;
      if (p.measured.total && *p.predicted > 0) {
        ratio = *p.measured.total / *p.predicted;
      }
      Data model(Data::type::object);
      model.set("name", printable(variant.name));
      model.set("formula", p.formula.empty() ? "model not described" : printable(p.formula));
      model.set("ratio", nothing_ran(analysis)
                             ? std::string()
                             : "; counted / predicted " + format_quantity(ratio, Unit::factor));
      models << model;
    }
    Data one(Data::type::object);
    one.set("models", models);
    one.set("level", label(level));
    one.set("bars", bars);
    levels << one;
  }
  return levels;
}

const char* colour_class(const StallShare& stall) {
  return css_of(stall_kind(stall));
}

Data stall_bars(const Analysis& analysis) {
  Data bars(Data::type::list);
  std::vector<const KernelAnalysis*> drawn;
  std::vector<std::string> names;
  for (const KernelAnalysis& kernel : analysis.kernels) {
    if (!kernel.stalls.empty() && drawn.size() < most_stall_bars) {
      drawn.push_back(&kernel);
      names.push_back(printable(kernel.short_name));
    }
  }
  names = elide_apart(names, longest_name);
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const KernelAnalysis& kernel = *drawn[i];
    // All memory stalls of a kernel stand together at the left.
    Data parts(Data::type::list);
    for (const StallShare& stall : by_kind(kernel.stalls)) {
      if (!(stall.share > 0)) {
        continue;
      }
      const std::string name = stall_label(stall.reason);
      const std::string share = format_quantity(stall.share, Unit::share);
      Data part(Data::type::object);
      part.set("kind", colour_class(stall));
      part.set("percent", fmt::format("{:.2f}", 100 * std::min(stall.share, 1.0)));
      part.set("title", name + " " + share + ". " + stall_explanation(stall.reason));
      // About 7 pixels a character in a bar of about 700.
      const bool fits = stall.share * 700 > 7.0 * static_cast<double>(name.size()) + 10;
      part.set("label", fits ? name : "");
      parts << part;
    }
    Data one(Data::type::object);
    one.set("name", names[i]);
    one.set("full", printable(kernel.name));
    one.set("parts", parts);
    one.set("ratio", format_quantity(kernel.memory_stall_ratio, Unit::share));
    bars << one;
  }
  return bars;
}

Data stall_key() {
  Data list(Data::type::list);
  for (const StallKind kind : stall_kinds) {
    Data one(Data::type::object);
    one.set("kind", css_of(kind));
    one.set("label", label(kind));
    list << one;
  }
  return list;
}

}  // namespace ridgepoint::html
