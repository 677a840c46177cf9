#include <algorithm>
#include <array>

#include "analyzer/session/range_row.h"
#include "reports/csv/counter_names.h"
#include "reports/csv/csv_layouts.h"
#include "reports/csv/csv_row.h"
#include "reports/presenters/tables.h"

namespace ridgepoint {
namespace {

// As Nsight Compute prints it.
std::string size_text(const Dim3& size) {
  return fmt::format("({}, {}, {})", size.x, size.y, size.z);
}

void wide_by_counters(const Analysis& analysis, TextStream& out) {
  std::vector<NamedQuantity> columns = named_quantities(counter_map_of(analysis), true);
  columns.erase(std::remove_if(columns.begin(), columns.end(),
                               [&](const NamedQuantity& column) {
                                 return std::none_of(
                                     analysis.kernels.begin(), analysis.kernels.end(),
                                     [&](const KernelAnalysis& kernel) {
                                       return kernel.quantity(column.id).has_value();
                                     });
                               }),
                columns.end());
  CsvRow head;
  head.text("Kernel Name").text("Variant").text("Launches").text("Block Size").text("Grid Size");
  for (const NamedQuantity& column : columns) {
    head.text(column.name);
  }
  out.put(head.line());
  for (const KernelAnalysis& kernel : analysis.kernels) {
    CsvRow row;
    row.text(kernel.name).text(kernel.variant).number(static_cast<double>(kernel.launches));
    const bool has_shape = !is_range_row(kernel.name);
    row.text(has_shape ? size_text(kernel.block) : "");
    row.text(has_shape ? size_text(kernel.grid) : "");
    for (const NamedQuantity& column : columns) {
      const auto value = kernel.quantity(column.id);
      row.number(value ? std::optional<double>(*value / column.divisor) : std::nullopt);
    }
    out.put(row.line());
  }
}

}  // namespace

void csv_wide(const ReportInput& input, CsvNames names, TextStream& out) {
  if (names == CsvNames::ncu) {
    wide_by_counters(input.analysis, out);
    return;
  }
  // Both have a row a kernel, in the same order.
  const std::array tables = {kernel_table(input.analysis), kernel_split_table(input.analysis)};
  CsvRow head;
  for (const Table& table : tables) {
    for (const Column& column : table.columns) {
      head.text(column.id);
    }
  }
  head.text("name");
  head.text("source");  // a prediction is none of a run's rows
  out.put(head.line());
  for (std::size_t k = 0; k < input.analysis.kernels.size(); ++k) {
    CsvRow line;
    for (const Table& table : tables) {
      for (const Cell& cell : table.rows[k].cells) {
        line.cell(cell);
      }
    }
    line.text(input.analysis.kernels[k].name);
    line.text(key(input.analysis.source));
    out.put(line.line());
  }
}

}  // namespace ridgepoint
