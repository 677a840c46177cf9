// A table as every front end shows it: the terminal, CSV, Markdown, HTML and the window's models
// print the same cells, so they cannot disagree. Toolkit-free.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ridgepoint {

enum class Unit {
  none,
  text,
  count,
  byte,         // that move, or lie in device memory
  memory_size,  // bytes that a memory on the chip holds
  second,
  hertz,
  flop,
  byte_per_s,
  flop_per_s,
  flop_per_byte,
  share,
  factor,
  watt,
  joule,
  flop_per_joule,
  token_per_s,
  token_per_joule
};

struct Column {
  std::string id;       // stable, for CSV headers and settings: "hbm_bytes"
  std::string title;    // "HBM bytes"
  std::string tooltip;  // what it is and how it is counted
  Unit unit = Unit::none;
  bool printed = false;  // texts that are printed numbers: each row has its own unit
  // Texts that are read from their beginning: where they have too little room they are cut at their
  // end, names in the middle.
  bool sentence = false;
};

// Empty: not measured. A number is in the column's SI unit; people see it formatted
// (reports/presenters/format.h).
using Cell = std::variant<std::monostate, double, std::string>;

struct Row {
  std::vector<Cell> cells;
  std::optional<std::size_t>
      kernel;  // index into Analysis::kernels, so that views can follow a selection
};

struct Table {
  std::string id;
  std::string title;
  std::vector<Column> columns;
  std::vector<Row> rows;
};

// Numbers stand to the right.
constexpr bool right_aligned(const Column& column) {
  return column.unit != Unit::text || column.printed;
}

// Row order for a sort on `column`: numbers by value, texts without regard to case, empty cells
// always last. Stable.
std::vector<std::size_t> sorted_rows(const Table& table, std::size_t column, bool descending);
// Rows any of whose printed cells contains `text` without regard to case, in table order.
std::vector<std::size_t> filtered_rows(const Table& table, const std::string& text);
// The index of a column by its id, if the table has it.
std::optional<std::size_t> column_index(const Table& table, const std::string& id);
// The columns with these ids, in this order; ids that the table lacks are passed over.
Table selected_columns(const Table& table, const std::vector<std::string>& ids);
// The table without the columns in which no row has a value.
Table without_empty_columns(const Table& table);

}  // namespace ridgepoint
