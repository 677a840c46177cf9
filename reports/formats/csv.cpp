// Numbers in full precision and plain units, so that a script needs no unit conversion. What was
// not measured is an empty field, or, a row a value, no row.
#include "reports/csv/csv_layouts.h"
#include "reports/formats/formats.h"

namespace ridgepoint {

Status stream_csv(const ReportInput& input, const ReportOptions& options, const TextSink& sink) {
  TextStream out(sink);
  if (options.csv_layout == CsvLayout::series) {
    csv_series(input, out);
    return out.finish();
  }
  const auto layout = options.csv_layout == CsvLayout::wide ? &csv_wide : &csv_long;
  layout(input, options.csv_names, out);
  return out.finish();
}

}  // namespace ridgepoint
