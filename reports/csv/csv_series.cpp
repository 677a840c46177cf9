#include "reports/csv/csv_layouts.h"
#include "reports/csv/csv_row.h"
#include "reports/csv/series_samples.h"

namespace ridgepoint {

void csv_series(const ReportInput& input, TextStream& out) {
  out.put("series,device,variant,time_s,quantity,value,unit\r\n");
  for_each_sample(input.analysis, [&](const SeriesSample& sample) {
    CsvRow row;
    row.text(sample.series).text(sample.device ? std::to_string(*sample.device) : "");
    row.text(sample.variant).number(sample.time_s).text(sample.quantity);
    out.put(row.number(sample.value).text(sample.unit).line());
  });
}

}  // namespace ridgepoint
