#include "reports/presenters/hot_spots.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyzer/analysis/source_place.h"
#include "analyzer/core/regular_expression.h"
#include "analyzer/core/text.h"
#include "reports/presenters/cells.h"
#include "reports/presenters/labels.h"

namespace ridgepoint {

std::string source_text(const HotSpot& spot) {
  return printable(source_place(spot));
}

bool has_code(const KernelAnalysis& kernel) {
  return std::any_of(kernel.hot_spots.begin(), kernel.hot_spots.end(), [](const HotSpot& spot) {
    return !spot.sass.empty() || spot.source_line != 0;
  });
}

std::vector<std::size_t> sampled_kernels(const Analysis& analysis, const std::string& name) {
  // Names hold brackets and asterisks: the text itself first, and no expression is no fault.
  const Result<RegularExpression> pattern = RegularExpression::compile(name, "kernels named");
  const auto is_meant = [&](const std::string& kernel) {
    return kernel.find(name) != std::string::npos || (pattern && pattern->found_in(kernel));
  };
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < analysis.kernels.size(); ++i) {
    const KernelAnalysis& kernel = analysis.kernels[i];
    if (!kernel.hot_spots.empty() && (is_meant(kernel.name) || is_meant(kernel.short_name))) {
      found.push_back(i);
    }
  }
  return found;
}

Table hot_spot_table(const Analysis& analysis, const std::vector<std::size_t>& kernels) {
  Table table{"hot_spots", "Hot spots", {}, {}};
  table.columns = {
      {"kernel", "Kernel", "", Unit::text},
      {"pc_offset", "Offset", "Bytes from the kernel's first instruction", Unit::text, true},
      {"share", "Samples", "Share of the kernel's PC samples taken at this instruction",
       Unit::share},
      {"reason", "Mostly", "The state most of them were in", Unit::text},
      {"reason_share", "of these", "Share of the samples at this instruction in that state",
       Unit::share},
      {"sass", "Instruction", "SASS, from the machine code that the driver loaded", Unit::text,
       false, true},
      {"source", "Source", "Where it was compiled with -lineinfo", Unit::text}};
  for (const std::size_t k : kernels) {
    const KernelAnalysis& kernel = analysis.kernels[k];
    for (const HotSpot& spot : kernel.hot_spots) {
      Row row;
      row.kernel = k;
      row.cells = {text_cell(kernel.short_name),   text_cell(fmt::format("+{:#x}", spot.pc_offset)),
                   number_cell(spot.share),        text_cell(stall_label(spot.reason)),
                   number_cell(spot.reason_share), text_cell(spot.sass),
                   text_cell(source_text(spot))};
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

Table hot_spot_table(const Analysis& analysis) {
  return hot_spot_table(analysis, sampled_kernels(analysis, ""));
}

}  // namespace ridgepoint
