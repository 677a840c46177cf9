#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analyzer/core/text.h"
#include "reports/html/page_parts.h"
#include "reports/presenters/format.h"

namespace ridgepoint::html {
namespace {

struct Part {
  const char* kind;  // its colour in report.css
  const char* name;
  double TrafficSplit::*bytes;
};
constexpr std::array parts = {Part{"math", "inputs and outputs", &TrafficSplit::inputs_outputs},
                              Part{"memory", "intermediates", &TrafficSplit::intermediates},
                              Part{"rest", "re-reads", &TrafficSplit::again}};

Data stack(const TrafficSplit& split, double longest) {
  Data list(Data::type::list);
  for (const Part& part : parts) {
    const double bytes = split.*part.bytes;
    if (!(bytes > 0) || longest <= 0) {
      continue;
    }
    const std::string size = format_quantity(bytes, Unit::byte);
    Data one(Data::type::object);
    one.set("kind", part.kind);
    one.set("percent", fmt::format("{:.2f}", 100 * bytes / longest));
    one.set("title", std::string(part.name) + " " + size);
    // About 7 pixels a character in a bar of about 700.
    const bool fits = bytes / longest * 700 > 7.0 * static_cast<double>(size.size()) + 10;
    one.set("label", fits ? size : "");
    list << one;
  }
  return list;
}

}  // namespace

Data split_bars(const Analysis& analysis) {
  Data levels(Data::type::list);
  for (const MemoryLevel level : {MemoryLevel::hbm, MemoryLevel::l2}) {
    double longest = 0;
    for (const VariantAnalysis& variant : analysis.variants) {
      longest = std::max(longest, variant.split[level] ? variant.split[level]->total() : 0.0);
    }
    Data bars(Data::type::list);
    for (const VariantAnalysis& variant : analysis.variants) {
      if (!variant.split[level]) {
        continue;
      }
      Data bar(Data::type::object);
      bar.set("name", printable(variant.name));
      bar.set("parts", stack(*variant.split[level], longest));
      bar.set("value", format_quantity(variant.split[level]->total(), Unit::byte));
      bars << bar;
    }
    if (bars.is_non_empty_list()) {
      Data one(Data::type::object);
      one.set("level", label(level));
      one.set("bars", bars);
      levels << one;
    }
  }
  return levels;
}

}  // namespace ridgepoint::html
