// The raw page turned on its side, as the GUI shows it and copies it: a row a metric, a column a
// launch, the unit in the second column. Turned back, it is read like the raw page.
#include <fmt/format.h>

#include <algorithm>

#include "analyzer/import/readers.h"

namespace ridgepoint::importing {
namespace {

// All cells are held at once here, unlike in the other layouts.
constexpr std::size_t transposed_cells_limit = std::size_t{4} << 20U;

using Cells = std::vector<std::vector<std::string>>;

// Units stand in the second column when the rows that identify launches have nothing there.
bool has_unit_column(const Cells& cells) {
  return std::all_of(cells.begin(), cells.end(), [](const std::vector<std::string>& line) {
    const auto field = field_named(line[0]);
    return !field || line.size() < 2 || trimmed(line[1]).empty() ||
           field_named(line[1]) == Field::unit;
  });
}

}  // namespace

Status read_transposed(const Source& source, Recording& recording) {
  CsvReader reader(source.text.substr(source.header.offset), source.header.delimiter);
  Cells cells;
  Row row;
  std::size_t count = 0;
  std::size_t columns = 0;
  while (reader.next(row)) {
    if (row.size() < 2 || is_profiler_message(row[0])) {
      const bool blank = trimmed(row[0]).empty() || is_profiler_message(row[0]);
      recording.odd.rows_skipped += blank ? 0 : 1;
      continue;
    }
    count += row.size();
    // Turning a table of few rows and one very long one makes cells that were never there.
    columns = std::max(columns, row.size());
    if (count > transposed_cells_limit || (cells.size() + 1) * columns > transposed_cells_limit) {
      return fail(
          ErrorDomain::input, source.what,
          fmt::format("it is a transposed table of more than {} cells", transposed_cells_limit),
          "export it row by row: ncu --import FILE.ncu-rep --page raw --csv --print-units base");
    }
    cells.emplace_back(row.begin(), row.end());
  }
  recording.odd.torn = reader.fault();
  if (cells.empty()) {
    return {};
  }
  // "Metric Name","Metric Unit","kernel a","kernel b": the header names the kernels.
  if (field_named(cells[0][0]) == Field::metric) {
    cells[0][0] = "Kernel Name";
    if (field_named(cells[0][1]) == Field::unit) {
      cells[0][1].clear();
    }
  }
  std::size_t column = 0;
  const bool units = has_unit_column(cells);
  const auto next = [&](Row& turned) {
    turned.clear();
    if (column >= columns) {
      return false;
    }
    for (const std::vector<std::string>& line : cells) {
      turned.push_back(column < line.size() ? std::string_view(line[column]) : std::string_view());
    }
    ++column;
    return true;
  };
  const Status status = read_launch_rows(next, source.style, source.what, recording);
  recording.odd.units_missing = !units;
  return status;
}

}  // namespace ridgepoint::importing
