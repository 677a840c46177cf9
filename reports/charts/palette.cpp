#include "reports/charts/palette.h"

namespace ridgepoint {

std::string series_class(std::string_view variant, std::size_t position) {
  if (variant.empty()) {
    return "other";
  }
  if (variant == "naive" || variant == "fused") {
    return std::string(variant);
  }
  static constexpr std::array<const char*, 3> others = {"series3", "series4", "series5"};
  return others[position % others.size()];
}

std::string with_light_colours(std::string css) {
  for (const PaletteEntry& entry : palette) {
    const std::string wanted = "var(--" + std::string(entry.name) + ")";
    for (auto at = css.find(wanted); at != std::string::npos; at = css.find(wanted, at)) {
      css.replace(at, wanted.size(), entry.light);
    }
  }
  return css;
}

std::string palette_properties(bool dark) {
  std::string properties;
  for (const PaletteEntry& entry : palette) {
    properties +=
        "--" + std::string(entry.name) + ":" + std::string(dark ? entry.dark : entry.light) + ";";
  }
  return properties;
}

}  // namespace ridgepoint
