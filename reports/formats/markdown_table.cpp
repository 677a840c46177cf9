#include "reports/formats/markdown_table.h"

#include <algorithm>

#include "reports/escape.h"
#include "reports/presenters/format.h"

namespace ridgepoint {

std::string markdown_table(const Table& table, std::size_t most) {
  const std::size_t columns = std::min(most, table.columns.size());
  std::string head = "|";
  std::string rule = "|";
  for (std::size_t c = 0; c < columns; ++c) {
    head += " " + escape_markdown(table.columns[c].title) + " |";
    rule += right_aligned(table.columns[c]) ? " ---: |" : " --- |";
  }
  std::string out = head + "\n" + rule + "\n";
  for (const Row& row : table.rows) {
    out += "|";
    for (std::size_t c = 0; c < columns; ++c) {
      out += " " + escape_markdown(format_cell(row.cells[c], table.columns[c].unit)) + " |";
    }
    out += "\n";
  }
  return out;
}

}  // namespace ridgepoint
