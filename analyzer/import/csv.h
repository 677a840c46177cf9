// Rows of a CSV file as RFC 4180 has them: quoted fields may hold delimiters, line ends and doubled
// quotes. Lenient where spreadsheets and logs are: rows may differ in length, and text after a
// closing quote belongs to the field.
//
// Life cycle: construct over a text that outlives the reader, then next() until it returns false;
// the views of a row are valid until the following next(). A row is all the memory it takes.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint::importing {

using Row = std::vector<std::string_view>;

// A full raw page has about 2,300 columns.
inline constexpr std::size_t csv_cells_a_row_limit = 65536;

class CsvReader {
 public:
  CsvReader(std::string_view text, char delimiter) : text_(text), delimiter_(delimiter) {}

  // False at the end, and when the text cannot be read on; fault() says which.
  bool next(Row& row);

  // The line the last row began on, counted from 1.
  std::size_t line() const { return row_line_; }
  // Empty at a regular end.
  const std::string& fault() const { return fault_; }

 private:
  bool quoted_field(std::string_view& field);
  std::string_view plain_field();
  // Steps over what follows a field; true when the row ends there.
  bool end_of_row();

  std::string_view text_;
  char delimiter_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t row_line_ = 1;
  std::deque<std::string> unescaped_;  // a deque, so that views survive later additions
  std::string fault_;
};

}  // namespace ridgepoint::importing
