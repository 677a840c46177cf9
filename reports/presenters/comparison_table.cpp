#include <algorithm>
#include <cmath>

#include "reports/presenters/cells.h"
#include "reports/presenters/format.h"
#include "reports/presenters/tables.h"

namespace ridgepoint {
namespace {

// Beyond this a factor only says that one value is next to nothing: 4 B of a counter against 8 GB.
constexpr double largest_factor = 10000;

// "4.76x less" of the first variant's value; empty when either is missing, blank when one is zero,
// which has no factor.
Cell change(const Cell& first, const Cell& other) {
  const auto* a = std::get_if<double>(&first);
  const auto* b = std::get_if<double>(&other);
  if (a == nullptr || b == nullptr) {
    return Cell();
  }
  if (!(*a > 0) || !(*b > 0)) {
    return Cell(std::string());
  }
  const double factor = *b / *a;
  if (std::abs(factor - 1) < 0.005) {
    return Cell(std::string("same"));
  }
  const double size = std::max(factor, 1 / factor);
  const std::string text = size > largest_factor
                               ? "over " + format_quantity(largest_factor, Unit::factor)
                               : format_quantity(size, Unit::factor);
  return Cell(text + (factor > 1 ? " more" : " less"));
}

}  // namespace

Table comparison_table(const Analysis& analysis) {
  const Table variants = variant_table(analysis);
  Table table{"comparison", "Variants side by side", {{"quantity", "", "", Unit::text}}, {}};
  for (std::size_t v = 0; v < variants.rows.size(); ++v) {
    const std::string name = format_cell(variants.rows[v].cells[0], Unit::text);
    table.columns.push_back({"variant_" + std::to_string(v), name,
                             printable(analysis.variants[v].description), Unit::text, true});
    if (v > 0) {
      const std::string first = format_cell(variants.rows[0].cells[0], Unit::text);
      table.columns.push_back({"change_" + std::to_string(v), "against " + first,
                               "Factor to " + first, Unit::text, true});
    }
  }
  for (std::size_t c = 1; c < variants.columns.size(); ++c) {
    const Column& column = variants.columns[c];
    Row row;
    row.cells.push_back(Cell(column.title));
    bool any = false;
    for (std::size_t v = 0; v < variants.rows.size(); ++v) {
      const Cell& cell = variants.rows[v].cells[c];
      const bool present = !std::holds_alternative<std::monostate>(cell);
      any = any || present;
      row.cells.push_back(text_cell(present ? format_cell(cell, column.unit) : ""));
      // A factor of factors, counts of repeats and errors say nothing.
      const bool compared = column.unit != Unit::factor && column.unit != Unit::count &&
                            column.unit != Unit::none && column.unit != Unit::text;
      if (v > 0) {
        row.cells.push_back(compared ? change(variants.rows[0].cells[c], cell)
                                     : Cell(std::string()));
      }
    }
    if (any) {
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

}  // namespace ridgepoint
