#include <cmath>

#include "reports/csv/csv_layouts.h"
#include "reports/csv/csv_row.h"

namespace ridgepoint {
namespace {

// What a series is of; a text is empty where the column does not apply.
struct SeriesSource {
  const char* series;
  std::string device;
  std::string variant;
  std::string kernel;
  std::string launch;
};

SeriesSource source_of(const PmTrace& trace) {
  if (trace.kernel.empty()) {
    return {"pm_sampling", "", trace.variant, "", ""};
  }
  return {"pm_sampling", std::to_string(trace.device), "", trace.kernel, std::to_string(trace.nth)};
}

void write_row(const SeriesSource& source, double time_s, const std::string& quantity, double value,
               const std::string& unit, TextStream& out) {
  if (std::isfinite(value)) {
    out.put(CsvRow()
                .text(source.series)
                .text(source.device)
                .text(source.variant)
                .number(time_s)
                .text(quantity)
                .number(value)
                .text(unit)
                .text(source.kernel)
                .text(source.launch)
                .line());
  }
}

}  // namespace

void csv_series(const ReportInput& input, TextStream& out) {
  out.put("series,device,variant,time_s,quantity,value,unit,kernel,launch\r\n");
  for (const PowerTrace& trace : input.analysis.power) {
    const SeriesSource source{"power", std::to_string(trace.device), "", "", ""};
    for (std::size_t i = 0; i < trace.time_s.size(); ++i) {
      const auto add = [&](const char* quantity, double value, const char* unit) {
        write_row(source, trace.time_s[i], quantity, value, unit, out);
      };
      add("power_w", trace.power_w[i], "W");
      add("sm_clock_hz", trace.sm_clock_hz[i], "Hz");
      add("memory_clock_hz", trace.memory_clock_hz[i], "Hz");
      add("temperature_c", trace.temperature_c[i], "degC");
    }
  }
  for (const PmTrace& trace : input.analysis.pm_traces) {
    const SeriesSource source = source_of(trace);
    for (std::size_t i = 0; i < trace.time_s.size(); ++i) {
      for (const PmChannel& channel : trace.channels) {
        write_row(source, trace.time_s[i], channel.id, channel.values[i], channel.unit, out);
      }
    }
  }
}

}  // namespace ridgepoint
