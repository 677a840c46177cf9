#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analyzer/core/text.h"
#include "reports/charts/palette.h"
#include "reports/html/page_parts.h"
#include "reports/presenters/format.h"
#include "reports/presenters/labels.h"

namespace ridgepoint::html {
namespace {

struct Kind {
  const char* css;
  const char* label;
};
constexpr std::array<Kind, 6> kinds = {{{"memory", "Long scoreboard (HBM, L2, L1)"},
                                        {"memory2", "Other memory"},
                                        {"math", "Arithmetic pipes and WGMMA"},
                                        {"sync", "Barriers"},
                                        {"issue", "Issuing, or ready to"},
                                        {"rest", "Other"}}};

const char* kind_of(const StallShare& stall) {
  if (stall.memory) {
    return stall.reason == "long_scoreboard" ? "memory" : "memory2";
  }
  if (stall.reason == "math_pipe_throttle" || stall.reason == "gmma") {
    return "math";
  }
  if (stall.reason == "barrier" || stall.reason == "membar") {
    return "sync";
  }
  return stall.reason == "selected" || stall.reason == "not_selected" ? "issue" : "rest";
}

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
      bars << bar(name, series, variant.traffic[level].measured.total, longest, false);
      bars << bar("", series, variant.traffic[level].predicted, longest, true);
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
      model.set("ratio", format_quantity(ratio, Unit::factor));
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

Data stall_bars(const Analysis& analysis) {
  Data bars(Data::type::list);
  for (const KernelAnalysis& kernel : analysis.kernels) {
    if (kernel.stalls.empty()) {
      continue;
    }
    // By kind, so that all memory stalls of a kernel stand together at the left.
    Data parts(Data::type::list);
    for (const Kind& kind : kinds) {
      for (const StallShare& stall : kernel.stalls) {
        if (kind.css != std::string_view(kind_of(stall)) || !(stall.share > 0)) {
          continue;
        }
        const std::string name = stall_label(stall.reason);
        const std::string share = format_quantity(stall.share, Unit::share);
        Data part(Data::type::object);
        part.set("kind", kind.css);
        part.set("percent", fmt::format("{:.2f}", 100 * std::min(stall.share, 1.0)));
        part.set("title", name + " " + share + ". " + stall_explanation(stall.reason));
        // About 7 pixels a character in a bar of about 700.
        const bool fits = stall.share * 700 > 7.0 * static_cast<double>(name.size()) + 10;
        part.set("label", fits ? name : "");
        parts << part;
      }
    }
    Data one(Data::type::object);
    one.set("name", printable(kernel.short_name));
    one.set("parts", parts);
    one.set("ratio", format_quantity(kernel.memory_stall_ratio, Unit::share));
    bars << one;
  }
  return bars;
}

Data stall_kinds() {
  Data list(Data::type::list);
  for (const Kind& kind : kinds) {
    Data one(Data::type::object);
    one.set("kind", kind.css);
    one.set("label", kind.label);
    list << one;
  }
  return list;
}

}  // namespace ridgepoint::html
