#include "reports/csv/long_run_rows.h"

#include <cmath>
#include <string>

#include "reports/csv/csv_row.h"
#include "reports/csv/series_samples.h"
#include "reports/presenters/format.h"
#include "reports/presenters/tables.h"

namespace ridgepoint {
namespace {

struct Place {
  std::string variant, launch, range, device;
  std::optional<double> time_s;
  std::string kernel = {};
};

void add(const Place& place, const std::string& quantity, double value, const std::string& unit,
         TextStream& out) {
  if (!std::isfinite(value)) {
    return;
  }
  CsvRow row;
  row.text(place.kernel)
      .text(place.variant)
      .text(place.launch)
      .text(quantity)
      .number(value)
      .text(unit);
  out.put(row.text(place.range).text(place.device).number(place.time_s).line());
}

void add_row(const Table& table, const Row& row, const Place& place, TextStream& out) {
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (const auto* value = std::get_if<double>(&row.cells[c])) {
      add(place, table.columns[c].id, *value, unit_name(table.columns[c].unit), out);
    }
  }
}

}  // namespace

const char* all_launches(const Analysis& analysis) {
  return analysis.source == Source::predicted ? "predicted" : "all";
}

void long_run_rows(const Analysis& analysis, TextStream& out) {
  const char* const all = all_launches(analysis);
  const Table variants = variant_table(analysis);
  for (std::size_t v = 0; v < variants.rows.size(); ++v) {
    const VariantAnalysis& variant = analysis.variants[v];
    const Place place{variant.name, all, "", "", std::nullopt};
    add_row(variants, variants.rows[v], place, out);
    for (const MemoryLevel level : memory_levels) {
      // In a prediction the columns of the table are these.
      const std::optional<double>& predicted = variant.traffic[level].predicted;
      if (predicted && analysis.source != Source::predicted) {
        add(place, std::string(key(level)) + "_bytes_predicted", *predicted, "byte", out);
      }
    }
  }
  const Table ranges = range_table(analysis);
  for (const Row& row : ranges.rows) {
    const std::string name = format_cell(row.cells.front(), Unit::text);
    add_row(ranges, row, {"", all, name, "", std::nullopt}, out);
  }
  for_each_sample(analysis, [&](const SeriesSample& sample) {
    const std::string device = sample.device ? std::to_string(*sample.device) : "";
    const std::string launch = sample.nth > 0 ? "nth " + std::to_string(sample.nth) : "";
    add({sample.variant, launch, "", device, sample.time_s, sample.kernel}, sample.quantity,
        sample.value, sample.unit, out);
  });
}

}  // namespace ridgepoint
