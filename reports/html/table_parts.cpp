#include <fmt/format.h>

#include <cmath>

#include "analyzer/core/text.h"
#include "reports/escape.h"
#include "reports/html/page_parts.h"
#include "reports/presenters/format.h"

namespace ridgepoint::html {
namespace {

// What the page's script sorts by: the number itself or the text in lower case.
std::string sort_value(const Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) {
    return std::isfinite(*number) ? fmt::format("{:.9g}", *number) : "";
  }
  std::string text;
  if (const auto* original = std::get_if<std::string>(&cell)) {
    text = lower_case(*original);
  }
  return text;
}

Data cell_data(const Cell& cell, const Column& column, bool first, const std::string& title) {
  const std::string value = sort_value(cell);
  std::string attributes = first ? " scope=\"row\"" : "";
  if (!title.empty()) {
    attributes += " title=\"" + escape_xml(title) + "\"";
  }
  const bool absent = value.empty() && !std::holds_alternative<std::string>(cell);
  attributes += fmt::format(" class=\"{}{}\"", right_aligned(column) ? "number" : "text",
                            absent ? " absent" : "");
  if (!value.empty()) {
    attributes += " data-value=\"" + escape_xml(value) + "\"";
  }
  Data data(Data::type::object);
  data.set("tag", first ? "th" : "td");
  data.set("attributes", attributes);
  data.set("text", format_cell(cell, column.unit));
  return data;
}

}  // namespace

std::string kernel_anchor(std::size_t kernel) {
  return "kernel-" + std::to_string(kernel);
}

Data table_data(const Table& table, const std::vector<KernelAnalysis>* kernels) {
  Data columns(Data::type::list);
  for (const Column& column : table.columns) {
    Data one(Data::type::object);
    one.set("title", column.title);
    one.set("tooltip", column.tooltip);
    one.set("class", right_aligned(column) ? "number" : "text");
    columns << one;
  }
  Data rows(Data::type::list);
  for (const Row& row : table.rows) {
    const bool known = kernels != nullptr && row.kernel && *row.kernel < kernels->size();
    Data cells(Data::type::list);
    for (std::size_t c = 0; c < table.columns.size() && c < row.cells.size(); ++c) {
      cells << cell_data(row.cells[c], table.columns[c], c == 0,
                         known && c == 0 ? (*kernels)[*row.kernel].name : std::string());
    }
    Data one(Data::type::object);
    one.set("cells", cells);
    one.set("anchor", known ? Data(kernel_anchor(*row.kernel)) : Data(false));
    rows << one;
  }
  Data data(Data::type::object);
  data.set("columns", columns);
  data.set("rows", rows);
  return data;
}

}  // namespace ridgepoint::html
