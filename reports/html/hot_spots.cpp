#include <fmt/format.h>

#include <algorithm>

#include "analyzer/core/text.h"
#include "analyzer/stalls/stalls.h"
#include "reports/html/page_parts.h"
#include "reports/presenters/format.h"
#include "reports/presenters/hot_spots.h"
#include "reports/presenters/labels.h"

namespace ridgepoint::html {
namespace {

constexpr std::size_t most_kernels = 12;
constexpr std::size_t most_spots = 6;

Data spot_data(const HotSpot& spot, double largest) {
  const StallShare state{spot.reason, spot.reason_share, is_memory_stall(spot.reason)};
  Data data(Data::type::object);
  data.set("offset", fmt::format("+{:#x}", spot.pc_offset));
  data.set("has_sass", Data(!spot.sass.empty()));
  data.set("has_source", Data(spot.source_line != 0));
  data.set("sass", printable(spot.sass));
  data.set("source", source_text(spot));
  data.set("source_file", printable(spot.source_file));
  data.set("samples", format_quantity(static_cast<double>(spot.samples), Unit::count));
  data.set("share", format_quantity(spot.share, Unit::share));
  data.set("percent", fmt::format("{:.1f}", 100 * spot.share / largest));
  data.set("kind", colour_class(state));
  data.set("reason", stall_label(spot.reason));
  data.set("reason_share", format_quantity(spot.reason_share, Unit::share));
  data.set("explanation", stall_explanation(spot.reason));
  return data;
}

}  // namespace

Data hot_spots(const Analysis& analysis) {
  Data list(Data::type::list);
  std::size_t shown = 0;
  for (const KernelAnalysis& kernel : analysis.kernels) {
    if (kernel.hot_spots.empty() || shown++ >= most_kernels) {
      continue;
    }
    Data spots(Data::type::list);
    for (std::size_t i = 0; i < std::min(kernel.hot_spots.size(), most_spots); ++i) {
      spots << spot_data(kernel.hot_spots[i], kernel.hot_spots.front().share);
    }
    Data one(Data::type::object);
    one.set("name", printable(kernel.short_name));
    one.set("full", printable(kernel.name));
    one.set("spots", spots);
    list << one;
  }
  return list;
}

}  // namespace ridgepoint::html
