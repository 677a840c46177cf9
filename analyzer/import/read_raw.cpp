// The raw page: a row a launch, a column a metric under the counter's own name, the units in the
// second row.
#include <algorithm>
#include <optional>

#include "analyzer/import/device.h"
#include "analyzer/import/readers.h"

namespace ridgepoint::importing {
namespace {

constexpr std::string_view attribute_prefix = "device__attribute_";

// What is done with a column.
struct Metric {
  std::size_t column = 0;
  std::string name;
  double scale = 1;
  std::optional<std::uint32_t> counter;  // empty for an attribute of the device
};

std::vector<Metric> metrics_of(const std::vector<std::string>& header, Recording& recording) {
  std::vector<Metric> metrics;
  for (std::size_t i = 0; i < header.size(); ++i) {
    const std::string_view name = trimmed(header[i]);
    if (name.empty() || field_named(name)) {
      continue;
    }
    if (name.substr(0, attribute_prefix.size()) == attribute_prefix) {
      const std::string_view attribute = name.substr(attribute_prefix.size());
      if (is_used_attribute(attribute)) {
        metrics.push_back({i, std::string(attribute), 1, std::nullopt});
      }
    } else {
      metrics.push_back({i, std::string(name), 1, recording.counter(name)});
    }
  }
  return metrics;
}

// The row of units names no kernel and no launch.
bool is_units_row(const Row& row, const Columns& columns) {
  return trimmed(columns.cell(row, Field::kernel)).empty() &&
         trimmed(columns.cell(row, Field::id)).empty() &&
         trimmed(columns.cell(row, Field::process_id)).empty() && row.size() > 1;
}

// A launch must be told from output of the program between the rows, and from a header that a
// second run appended.
bool is_launch_row(const Row& row, const Columns& columns) {
  const std::string_view kernel = trimmed(columns.cell(row, Field::kernel));
  return !kernel.empty() && !field_named(kernel) && !is_profiler_message(row[0]);
}

bool read_launch(const Row& row, const Columns& columns, const std::vector<Metric>& metrics,
                 NumberStyle style, Recording& recording) {
  const std::uint32_t launch = recording.add_launch(row, columns);
  const bool wants_attributes = recording.wants_attributes(launch);
  Recording::Attributes attributes;
  for (const Metric& metric : metrics) {
    if (metric.column >= row.size()) {
      break;  // metrics are in column order
    }
    if (!metric.counter) {
      if (wants_attributes) {
        attributes.emplace(metric.name, row[metric.column]);
      }
      continue;
    }
    const Cell cell = parse_cell(row[metric.column], style);
    if (cell.kind == Cell::Kind::number) {
      if (!recording.set(launch, *metric.counter, cell.value * metric.scale)) {
        return false;
      }
    } else {
      recording.note_absent(metric.name, cell.kind);
    }
  }
  if (!attributes.empty()) {
    recording.set_attributes(launch, std::move(attributes));
  }
  return true;
}

}  // namespace

Status read_launch_rows(const NextRow& next, NumberStyle style, const std::string& what,
                        Recording& recording) {
  Row row;
  if (!next(row)) {
    return {};
  }
  const Columns columns(row);
  std::vector<Metric> metrics =
      metrics_of(std::vector<std::string>(row.begin(), row.end()), recording);
  recording.odd.units_missing = true;
  for (bool first = true; next(row); first = false) {
    if (first && is_units_row(row, columns)) {
      for (Metric& metric : metrics) {
        metric.scale = metric.column < row.size() ? scale_of(row[metric.column], recording) : 1;
      }
      recording.odd.units_missing = false;
    } else if (!is_launch_row(row, columns)) {
      const bool blank = row.size() == 1 && trimmed(row[0]).empty();
      recording.odd.rows_skipped += blank || is_profiler_message(row[0]) ? 0 : 1;
    } else if (!read_launch(row, columns, metrics, style, recording) || recording.full()) {
      return too_large(what);
    }
  }
  return {};
}

Status read_raw(const Source& source, Recording& recording) {
  CsvReader reader(source.text.substr(source.header.offset), source.header.delimiter);
  const auto next = [&](Row& row) { return reader.next(row); };
  return read_launch_rows(next, source.style, source.what, recording).map([&] {
    recording.odd.torn = reader.fault();
  });
}

}  // namespace ridgepoint::importing
