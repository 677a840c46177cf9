// Where the table of an export begins, how it is laid out, and which column is which.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/import/csv.h"

namespace ridgepoint::importing {

// The columns that are not metrics.
enum class Field {
  id,
  process_id,
  process_name,
  host,
  push_pop_ranges,
  start_stop_ranges,
  kernel,
  kernel_time,
  context,
  stream,
  block,
  grid,
  device,
  compute_capability,
  invocations,
  section,
  metric,
  unit,
  value,
  minimum,
  maximum,
  average,
  rule,
  rule_type,
  rule_text,
  speedup_type,
  speedup,
  count,
};

std::optional<Field> field_named(std::string_view header_cell);

enum class Layout {
  raw,         // a row a launch, a column a metric
  details,     // a row a metric of a launch: --page details, --metrics, --print-summary
  transposed,  // a row a metric, a column a launch: the raw page as the GUI can show and copy it
};

class Columns {
 public:
  Columns() { at_.fill(none); }
  explicit Columns(const Row& header);

  bool has(Field field) const { return at_[static_cast<std::size_t>(field)] != none; }
  // Empty when the table has no such column or the row is too short.
  std::string_view cell(const Row& row, Field field) const {
    const std::size_t at = at_[static_cast<std::size_t>(field)];
    return at < row.size() ? row[at] : std::string_view();
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::array<std::size_t, static_cast<std::size_t>(Field::count)> at_;
};

struct Header {
  Layout layout = Layout::raw;
  char delimiter = ',';
  std::size_t offset = 0;  // of the header line in the text
  Columns columns;
  std::vector<std::string> names;  // every header cell
};

// Empty when no line is a header. Lines before it ("==PROF== ...", output of the program) are
// passed over line by line, so that a stray quote among them does no harm.
std::optional<Header> find_header(std::string_view text);

}  // namespace ridgepoint::importing
