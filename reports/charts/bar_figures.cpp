#include "reports/charts/bar_figures.h"

#include <algorithm>
#include <array>

#include "analyzer/core/text.h"
#include "reports/charts/bars_svg.h"
#include "reports/charts/palette.h"
#include "reports/presenters/format.h"
#include "reports/presenters/labels.h"
#include "reports/presenters/stall_kinds.h"

namespace ridgepoint {
namespace {

constexpr std::size_t most_kernels = 40;

const char* colour_of(StallKind kind) {
  switch (kind) {
    case StallKind::memory:
      return "stall-memory";
    case StallKind::other_memory:
      return "stall-memory2";
    case StallKind::math:
      return "stall-math";
    case StallKind::barrier:
      return "stall-sync";
    case StallKind::issue:
      return "stall-issue";
    case StallKind::other:
      break;
  }
  return "stall-other";
}

void add_bytes(const std::string& name, const std::optional<double>& bytes, double longest,
               const std::string& colour, bool predicted, BarGroup& group) {
  if (bytes && *bytes >= 0 && longest > 0) {
    const std::string size = format_quantity(*bytes, Unit::byte);
    group.rows.push_back({name + (predicted ? ", predicted" : ""),
                          {{*bytes / longest, colour, "",
                            name + (predicted ? " predicted " : " ") + size, predicted}},
                          size});
  }
}

struct SplitPart {
  const char* colour;
  const char* name;
  double TrafficSplit::*bytes;
};
constexpr std::array split_parts = {
    SplitPart{"stall-math", "inputs and outputs", &TrafficSplit::inputs_outputs},
    SplitPart{"stall-memory", "intermediates", &TrafficSplit::intermediates},
    SplitPart{"stall-other", "re-reads", &TrafficSplit::again}};

}  // namespace

std::string traffic_bars_svg(const Analysis& analysis) {
  std::vector<BarGroup> groups;
  for (const MemoryLevel level : memory_levels) {
    double longest = 0;
    for (const VariantAnalysis& v : analysis.variants) {
      longest = std::max({longest, v.traffic[level].measured.total.value_or(0),
                          v.traffic[level].predicted.value_or(0)});
    }
    BarGroup group{label(level), {}};
    for (std::size_t i = 0; i < analysis.variants.size(); ++i) {
      const VariantAnalysis& v = analysis.variants[i];
      const std::string colour = series_class(v.name, i);
      const std::string name = printable(v.name);
      add_bytes(name, v.traffic[level].measured.total, longest, colour, false, group);
      add_bytes(name, v.traffic[level].predicted, longest, colour, true, group);
    }
    if (!group.rows.empty()) {
      groups.push_back(std::move(group));
    }
  }
  return groups.empty() ? "" : bars_svg(groups, {});
}

std::string split_bars_svg(const Analysis& analysis) {
  std::vector<BarGroup> groups;
  for (const MemoryLevel level : {MemoryLevel::hbm, MemoryLevel::l2}) {
    double longest = 0;
    for (const VariantAnalysis& v : analysis.variants) {
      longest = std::max(longest, v.split[level] ? v.split[level]->total() : 0.0);
    }
    BarGroup group{label(level), {}};
    for (const VariantAnalysis& v : analysis.variants) {
      if (!v.split[level] || longest <= 0) {
        continue;
      }
      BarRow row{printable(v.name), {}, format_quantity(v.split[level]->total(), Unit::byte)};
      for (const SplitPart& part : split_parts) {
        const double bytes = (*v.split[level]).*part.bytes;
        const std::string size = format_quantity(bytes, Unit::byte);
        if (bytes > 0) {
          row.parts.push_back(
              {bytes / longest, part.colour, size, std::string(part.name) + " " + size});
        }
      }
      group.rows.push_back(std::move(row));
    }
    if (!group.rows.empty()) {
      groups.push_back(std::move(group));
    }
  }
  std::vector<std::pair<std::string, std::string>> key;
  for (const SplitPart& part : split_parts) {
    key.emplace_back(part.colour, part.name);
  }
  return groups.empty() ? "" : bars_svg(groups, key);
}

std::string stall_bars_svg(const Analysis& analysis) {
  BarGroup group;
  for (const KernelAnalysis& kernel : analysis.kernels) {
    if (kernel.stalls.empty() || group.rows.size() >= most_kernels) {
      continue;
    }
    BarRow row{printable(kernel.short_name),
               {},
               format_quantity(kernel.memory_stall_ratio, Unit::share) + " memory"};
    for (const StallShare& stall : by_kind(kernel.stalls)) {
      if (stall.share > 0) {
        const std::string name = stall_label(stall.reason);
        row.parts.push_back({stall.share, colour_of(stall_kind(stall)), name,
                             name + " " + format_quantity(stall.share, Unit::share)});
      }
    }
    group.rows.push_back(std::move(row));
  }
  std::vector<std::pair<std::string, std::string>> key;
  for (const StallKind kind : stall_kinds) {
    key.emplace_back(colour_of(kind), label(kind));
  }
  return group.rows.empty() ? "" : bars_svg({group}, key);
}

}  // namespace ridgepoint
