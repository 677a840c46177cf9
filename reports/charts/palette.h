// The colours of every chart: light and dark. Variants use the Okabe-Ito hues, which people with
// any common colour blindness tell apart: orange for naive, blue for fused.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace ridgepoint {

struct PaletteEntry {
  std::string_view name;  // CSS custom property without "--"
  std::string_view light;
  std::string_view dark;
};

inline constexpr std::array<PaletteEntry, 27> palette = {{
    {"page", "#f6f7f9", "#0f1318"},         {"card", "#ffffff", "#181d24"},
    {"ink", "#18202a", "#e8ecf1"},          {"muted", "#5a6572", "#9aa6b4"},
    {"line", "#dde2e8", "#2c343f"},         {"grid", "#e9edf1", "#252c36"},
    {"accent", "#0b6bb8", "#6cb6f5"},       {"naive", "#d55e00", "#f5893d"},
    {"fused", "#0072b2", "#57b0ea"},        {"series3", "#009e73", "#3cc79c"},
    {"series4", "#aa4a8a", "#dd8fc2"},      {"series5", "#8a6d00", "#d9b93b"},
    {"other", "#5b6b7d", "#9db0c5"},        {"roof", "#2b3540", "#ccd5df"},
    {"roof-soft", "#7d8894", "#7f8c9a"},    {"good", "#0b7a4b", "#4fd19b"},
    {"bad", "#b3261e", "#ff8a80"},          {"warn", "#8a5a00", "#f0b952"},
    {"warn-page", "#fff6e0", "#2b2413"},    {"on-stall", "#ffffff", "#10151b"},
    {"stall-memory", "#9a3412", "#f0773a"}, {"stall-memory2", "#c2600f", "#d99a6c"},
    {"stall-math", "#2f6fa8", "#5b9bd5"},   {"stall-sync", "#7a5ea8", "#a68bd8"},
    {"stall-issue", "#3d7d5b", "#6cbf93"},  {"stall-other", "#667382", "#8f9baa"},
    {"shadow", "#18202a14", "#00000066"},
}};

// The class of a variant's marks: "naive", "fused", "series3" ... , "other" without variant.
// `position` is the variant's place in the analysis.
std::string series_class(std::string_view variant, std::size_t position);
// The CSS with every var(--name) replaced by its light colour, for viewers without custom
// properties.
std::string with_light_colours(std::string css);
// "--page:#f6f7f9;--card:..." for a CSS rule.
std::string palette_properties(bool dark);

}  // namespace ridgepoint
