#include <nlohmann/json.hpp>

#include "reports/html/page_parts.h"
#include "reports/presenters/format.h"
#include "reports/presenters/tables.h"

namespace ridgepoint::html {
namespace {

// Ten thousand rows must stay within a few megabytes.
constexpr std::size_t longest_text = 120;

std::string cut(std::string text) {
  if (text.size() > longest_text) {
    std::size_t end = longest_text;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
      --end;  // between characters
    }
    text.resize(end);
    text += "…";
  }
  return text;
}

}  // namespace

std::string more_kernels(const Analysis& whole, const std::vector<std::size_t>& kernels,
                         const Table& shown) {
  if (kernels.empty()) {
    return "[]";
  }
  const Table all = kernel_table(whole);
  std::vector<std::size_t> columns;
  for (const Column& column : shown.columns) {
    columns.push_back(*column_index(all, column.id));
  }
  nlohmann::json rows = nlohmann::json::array();
  for (const std::size_t kernel : kernels) {
    nlohmann::json row = nlohmann::json::array();
    for (const std::size_t column : columns) {
      row.push_back(cut(format_cell(all.rows[kernel].cells[column], all.columns[column].unit)));
    }
    rows.push_back(std::move(row));
  }
  // "</script>" or "<!--" in a name would end the element or hide the rest of the page.
  std::string text = rows.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

}  // namespace ridgepoint::html
