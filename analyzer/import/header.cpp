#include "analyzer/import/header.h"

#include <algorithm>

#include "analyzer/import/number.h"

namespace ridgepoint::importing {
namespace {

struct Name {
  std::string_view text;
  Field field;
};

// Also the names that other versions and the GUI use for the same column.
constexpr std::array<Name, 32> names = {{
    {"ID", Field::id},
    {"Process ID", Field::process_id},
    {"Process Name", Field::process_name},
    {"Host Name", Field::host},
    {"Kernel Name", Field::kernel},
    {"Function Name", Field::kernel},
    {"Demangled Name", Field::kernel},
    {"Kernel Time", Field::kernel_time},
    {"Context", Field::context},
    {"Stream", Field::stream},
    {"Block Size", Field::block},
    {"Grid Size", Field::grid},
    {"Device", Field::device},
    {"CC", Field::compute_capability},
    {"Invocations", Field::invocations},
    {"Section Name", Field::section},
    {"Metric Name", Field::metric},
    {"Metric Unit", Field::unit},
    {"Metric Value", Field::value},
    {"Minimum", Field::minimum},
    {"Maximum", Field::maximum},
    {"Average", Field::average},
    {"Rule Name", Field::rule},
    {"Rule Type", Field::rule_type},
    {"Rule Description", Field::rule_text},
    {"Estimated Speedup Type", Field::speedup_type},
    {"Estimated Speedup", Field::speedup},
    {"Device ID", Field::device},
    {"Context ID", Field::context},
    {"Stream ID", Field::stream},
    {"Compute Capability", Field::compute_capability},
    {"PID", Field::process_id},
}};

constexpr std::array<char, 3> delimiters = {',', ';', '\t'};
// Lines before the header that look a little like one; a log with more of them holds no table, and
// looking closely at each would take minutes.
constexpr int candidates_limit = 100000;
constexpr int transposed_candidates_limit = 64;
// The fewest header cells that tell a table from a sentence with commas.
constexpr std::size_t fewest_known_cells = 2;

bool is_metric_name(std::string_view cell) {
  return cell.find("__") != std::string_view::npos && cell.find('(') == std::string_view::npos;
}

std::optional<Layout> layout_of(const Row& row) {
  if (row.size() < 2) {
    return std::nullopt;
  }
  const Columns columns(row);
  const auto known = std::count_if(
      row.begin(), row.end(), [](std::string_view cell) { return field_named(cell).has_value(); });
  const bool metric = columns.has(Field::metric);
  const bool value = columns.has(Field::value) || columns.has(Field::average);
  if (metric && value) {
    return Layout::details;
  }
  if (metric && !columns.has(Field::kernel)) {
    return Layout::transposed;  // "Metric Name", "Metric Unit", then a column a kernel
  }
  if (columns.has(Field::kernel) && (static_cast<std::size_t>(known) >= fewest_known_cells ||
                                     std::any_of(row.begin(), row.end(), is_metric_name))) {
    return Layout::raw;
  }
  return known == 1 && field_named(row[0]) ? std::optional<Layout>(Layout::transposed)
                                           : std::nullopt;
}

// A transposed table is recognised by its first row alone only with care: the kernel's name must
// stand in the first cell of one of the next few rows.
bool names_kernels_below(std::string_view text, char delimiter) {
  constexpr int identity_rows = 16;
  CsvReader rows(text, delimiter);
  Row row;
  for (int i = 0; i < identity_rows && rows.next(row); ++i) {
    const auto field = field_named(row[0]);
    if (field == Field::kernel || field == Field::metric) {
      return true;
    }
    if (!field) {
      return false;
    }
  }
  return false;
}

}  // namespace

std::optional<Field> field_named(std::string_view header_cell) {
  header_cell = trimmed(header_cell);
  const auto found = std::find_if(names.begin(), names.end(),
                                  [&](const Name& name) { return name.text == header_cell; });
  if (found != names.end()) {
    return found->field;
  }
  // The header of an NVTX column spells out the fields of a range.
  if (header_cell.find(":Push/Pop_Range:") != std::string_view::npos) {
    return Field::push_pop_ranges;
  }
  if (header_cell.find(":Start/Stop_Range:") != std::string_view::npos) {
    return Field::start_stop_ranges;
  }
  return std::nullopt;
}

Columns::Columns(const Row& header) {
  at_.fill(none);
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (const auto field = field_named(header[i])) {
      std::size_t& at = at_[static_cast<std::size_t>(*field)];
      at = at == none ? i : at;
    }
  }
}

std::optional<Header> find_header(std::string_view text) {
  int candidates = 0;
  int transposed_candidates = 0;
  for (std::size_t offset = 0; offset < text.size() && candidates < candidates_limit;) {
    const std::size_t end = std::min(text.find('\n', offset), text.size());
    const std::string_view line = text.substr(offset, end - offset);
    const bool candidate =
        line.find("Name") != std::string_view::npos || line.find("ID") != std::string_view::npos;
    candidates += candidate ? 1 : 0;
    for (std::size_t i = 0; candidate && i < delimiters.size(); ++i) {
      CsvReader reader(line, delimiters[i]);
      Row row;
      if (!reader.next(row)) {
        continue;
      }
      const auto layout = layout_of(row);
      const bool turned = layout == Layout::transposed;
      if (layout && (!turned || (transposed_candidates++ < transposed_candidates_limit &&
                                 names_kernels_below(text.substr(offset), delimiters[i])))) {
        return Header{*layout, delimiters[i], offset, Columns(row),
                      std::vector<std::string>(row.begin(), row.end())};
      }
    }
    offset = end + 1;
  }
  return std::nullopt;
}

}  // namespace ridgepoint::importing
