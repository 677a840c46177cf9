#include "reports/presenters/table.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analyzer/core/text.h"
#include "reports/presenters/format.h"

namespace ridgepoint {
namespace {

bool is_empty(const Cell& cell) {
  const auto* number = std::get_if<double>(&cell);
  const auto* text = std::get_if<std::string>(&cell);
  return std::holds_alternative<std::monostate>(cell) ||
         (number != nullptr && std::isnan(*number)) || (text != nullptr && text->empty());
}

// Numbers before texts, so that a column that mixes them still has one order.
bool less(const Cell& a, const Cell& b) {
  const auto* number_a = std::get_if<double>(&a);
  const auto* number_b = std::get_if<double>(&b);
  if (number_a != nullptr && number_b != nullptr) {
    return *number_a < *number_b;
  }
  const auto* text_a = std::get_if<std::string>(&a);
  const auto* text_b = std::get_if<std::string>(&b);
  if (text_a != nullptr && text_b != nullptr) {
    return lower_case(*text_a) < lower_case(*text_b);
  }
  return number_a != nullptr && text_b != nullptr;
}

const Cell& cell_at(const Row& row, std::size_t column) {
  static const Cell empty;
  return column < row.cells.size() ? row.cells[column] : empty;
}

}  // namespace

std::vector<std::size_t> sorted_rows(const Table& table, std::size_t column, bool descending) {
  std::vector<std::size_t> order(table.rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
    const Cell& a = cell_at(table.rows[left], column);
    const Cell& b = cell_at(table.rows[right], column);
    if (is_empty(a) || is_empty(b)) {
      return !is_empty(a) && is_empty(b);
    }
    return descending ? less(b, a) : less(a, b);
  });
  return order;
}

std::vector<std::size_t> filtered_rows(const Table& table, const std::string& text) {
  const std::string wanted = lower_case(text);
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    bool found = wanted.empty();
    for (std::size_t c = 0; !found && c < table.columns.size(); ++c) {
      const std::string cell = format_cell(cell_at(table.rows[row], c), table.columns[c].unit);
      found = lower_case(cell).find(wanted) != std::string::npos;
    }
    if (found) {
      rows.push_back(row);
    }
  }
  return rows;
}

std::optional<std::size_t> column_index(const Table& table, const std::string& id) {
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c].id == id) {
      return c;
    }
  }
  return std::nullopt;
}

Table selected_columns(const Table& table, const std::vector<std::string>& ids) {
  Table kept{table.id, table.title, {}, table.rows};
  for (Row& row : kept.rows) {
    row.cells.clear();
  }
  for (const std::string& id : ids) {
    const std::optional<std::size_t> c = column_index(table, id);
    if (!c) {
      continue;
    }
    kept.columns.push_back(table.columns[*c]);
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      kept.rows[r].cells.push_back(cell_at(table.rows[r], *c));
    }
  }
  return kept;
}

Table without_empty_columns(const Table& table) {
  std::vector<std::string> used;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (std::any_of(table.rows.begin(), table.rows.end(),
                    [&](const Row& row) { return !is_empty(cell_at(row, c)); })) {
      used.push_back(table.columns[c].id);
    }
  }
  return selected_columns(table, used);
}

}  // namespace ridgepoint
