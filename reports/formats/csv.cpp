// One row a kernel with all columns of the kernel table, numbers in SI units and full precision, so
// that a script needs no unit conversion. What was not measured is an empty field.
#include <fmt/format.h>

#include "reports/escape.h"
#include "reports/formats/formats.h"
#include "reports/presenters/tables.h"

namespace ridgepoint {
namespace {

std::string field(const Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) {
    return fmt::format("{}", *number);
  }
  const auto* text = std::get_if<std::string>(&cell);
  return text != nullptr ? escape_csv(*text) : "";
}

}  // namespace

std::string render_csv(const Analysis& analysis, const ReportOptions& /*options*/) {
  const Table table = kernel_table(analysis);
  std::string csv;
  for (const Column& column : table.columns) {
    csv += (csv.empty() ? "" : ",") + column.id;
  }
  csv += "\r\n";
  for (const Row& row : table.rows) {
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      csv += (c == 0 ? "" : ",") + field(row.cells[c]);
    }
    csv += "\r\n";
  }
  return csv;
}

}  // namespace ridgepoint
