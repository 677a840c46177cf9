#include "reports/csv/series_samples.h"

#include <cmath>

namespace ridgepoint {

void for_each_sample(const Analysis& analysis,
                     const std::function<void(const SeriesSample&)>& visit) {
  const auto add = [&](const SeriesSample& sample) {
    if (std::isfinite(sample.value)) {
      visit(sample);
    }
  };
  for (const PowerTrace& trace : analysis.power) {
    for (std::size_t i = 0; i < trace.time_s.size(); ++i) {
      const double time_s = trace.time_s[i];
      add({"power", trace.device, "", time_s, "power_w", trace.power_w[i], "W"});
      add({"power", trace.device, "", time_s, "sm_clock_hz", trace.sm_clock_hz[i], "Hz"});
      add({"power", trace.device, "", time_s, "memory_clock_hz", trace.memory_clock_hz[i], "Hz"});
      add({"power", trace.device, "", time_s, "temperature_c", trace.temperature_c[i], "degC"});
    }
  }
  for (const PmTrace& trace : analysis.pm_traces) {
    for (std::size_t i = 0; i < trace.time_s.size(); ++i) {
      for (const PmChannel& channel : trace.channels) {
        add({"pm_sampling", std::nullopt, trace.variant, trace.time_s[i], channel.id,
             channel.values[i], channel.unit});
      }
    }
  }
}

}  // namespace ridgepoint
