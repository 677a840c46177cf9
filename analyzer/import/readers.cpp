#include "analyzer/import/readers.h"

#include <fmt/format.h>

#include "analyzer/core/text.h"
#include "analyzer/import/unit.h"

namespace ridgepoint::importing {
namespace {

// Enough to see which style a file is in, and cheap for the largest.
constexpr std::size_t cells_looked_at = 200000;
// A hostile file may invent a unit a column; a report names only some.
constexpr std::size_t unknown_units_kept = 16;

bool holds_a_value(const Header& header, const Row& row, std::size_t column) {
  if (header.layout == Layout::transposed) {
    return column > 0 && !field_named(row[0]);
  }
  if (column >= header.names.size()) {
    return false;
  }
  const auto field = field_named(header.names[column]);
  if (header.layout == Layout::raw) {
    return !field;
  }
  return field == Field::value || field == Field::average || field == Field::minimum ||
         field == Field::maximum;
}

}  // namespace

NumberStyle number_style(std::string_view text, const Header& header) {
  CsvReader reader(text.substr(header.offset), header.delimiter);
  std::vector<bool> is_value;  // by column, worked out once for the layouts where rows agree
  std::size_t point = 0;
  std::size_t comma = 0;
  std::size_t seen = 0;
  Row row;
  for (bool first = true; seen < cells_looked_at && reader.next(row); first = false) {
    if (first || header.layout == Layout::transposed) {
      is_value.assign(row.size(), false);
      for (std::size_t i = 0; i < row.size(); ++i) {
        is_value[i] = holds_a_value(header, row, i);
      }
    }
    if (first) {
      continue;
    }
    seen += row.size();
    for (std::size_t i = 0; i < row.size() && i < is_value.size(); ++i) {
      if (is_value[i]) {
        const auto style = style_shown_by(row[i]);
        point += style == NumberStyle::point ? 1 : 0;
        comma += style == NumberStyle::comma ? 1 : 0;
      }
    }
  }
  return comma > point ? NumberStyle::comma : NumberStyle::point;
}

tl::unexpected<Error> too_large(const std::string& what) {
  return fail(ErrorDomain::input, what,
              fmt::format("it holds more than {} values, {} launches or {} counters",
                          counter_cells_limit, launches_limit, counters_limit),
              "export fewer launches or fewer metrics: ncu --import FILE.ncu-rep --page raw --csv "
              "--print-units base "
              "--launch-count N, or --metrics LIST");
}

double scale_of(std::string_view unit, Recording& recording) {
  const UnitScale scale = unit_scale(unit);
  std::map<std::string, std::size_t>& unknown = recording.odd.unknown_units;
  if (!scale.known) {
    const std::string name = printable(unit.substr(0, 40));
    if (unknown.size() < unknown_units_kept || unknown.count(name) != 0) {
      ++unknown[name];
    }
  }
  return scale.factor;
}

bool is_profiler_message(std::string_view first_cell) {
  return first_cell.substr(0, 2) == "==";
}

}  // namespace ridgepoint::importing
