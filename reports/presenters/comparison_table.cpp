#include <cmath>

#include "reports/presenters/cells.h"
#include "reports/presenters/format.h"
#include "reports/presenters/tables.h"

namespace ridgepoint {
namespace {

// "4.76x less" of the first variant's value; empty when either is missing.
Cell change(const Cell& first, const Cell& other) {
  const auto* a = std::get_if<double>(&first);
  const auto* b = std::get_if<double>(&other);
  if (a == nullptr || b == nullptr || !(*a > 0) || !(*b > 0)) {
    return Cell();
  }
  const double factor = *b / *a;
  if (std::abs(factor - 1) < 0.005) {
    return Cell(std::string("same"));
  }
  return factor > 1 ? Cell(format_quantity(factor, Unit::factor) + " more")
                    : Cell(format_quantity(1 / factor, Unit::factor) + " less");
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
