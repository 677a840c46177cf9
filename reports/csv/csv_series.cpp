#include <cmath>

#include "reports/csv/csv_layouts.h"
#include "reports/csv/csv_row.h"

namespace ridgepoint {
namespace {

void write_row(const char* series, std::optional<std::uint32_t> device, const std::string& variant,
               double time_s, const std::string& quantity, double value, const std::string& unit,
               TextStream& out) {
  if (std::isfinite(value)) {
    const std::string place = device ? std::to_string(*device) : std::string();
    out.put(CsvRow()
                .text(series)
                .text(place)
                .text(variant)
                .number(time_s)
                .text(quantity)
                .number(value)
                .text(unit)
                .line());
  }
}

}  // namespace

void csv_series(const ReportInput& input, TextStream& out) {
  out.put("series,device,variant,time_s,quantity,value,unit\r\n");
  for (const PowerTrace& trace : input.analysis.power) {
    for (std::size_t i = 0; i < trace.time_s.size(); ++i) {
      const auto add = [&](const char* quantity, double value, const char* unit) {
        write_row("power", trace.device, "", trace.time_s[i], quantity, value, unit, out);
      };
      add("power_w", trace.power_w[i], "W");
      add("sm_clock_hz", trace.sm_clock_hz[i], "Hz");
      add("memory_clock_hz", trace.memory_clock_hz[i], "Hz");
      add("temperature_c", trace.temperature_c[i], "degC");
    }
  }
  for (const PmTrace& trace : input.analysis.pm_traces) {
    for (std::size_t i = 0; i < trace.time_s.size(); ++i) {
      for (const PmChannel& channel : trace.channels) {
        write_row("pm_sampling", std::nullopt, trace.variant, trace.time_s[i], channel.id,
                  channel.values[i], channel.unit, out);
      }
    }
  }
}

}  // namespace ridgepoint
