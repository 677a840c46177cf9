#include "reports/presenters/trace_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "analyzer/core/text.h"
#include "reports/presenters/cells.h"
#include "reports/presenters/format.h"
#include "reports/presenters/tables.h"

namespace ridgepoint {
namespace {

TracePanel panel_of(std::string title, std::string tooltip, Unit unit,
                    const std::vector<double>& values) {
  TracePanel panel;
  panel.title = std::move(title);
  panel.tooltip = std::move(tooltip);
  panel.unit = unit;
  panel.values = values;
  double sum = 0;
  std::size_t count = 0;
  for (const double value : values) {
    if (std::isfinite(value)) {
      sum += value;
      ++count;
      panel.lowest = std::min(panel.lowest.value_or(value), value);
      panel.highest = std::max(panel.highest.value_or(value), value);
    }
  }
  if (count > 0) {
    panel.mean = sum / static_cast<double>(count);
    panel.top = *panel.highest > 0 ? *panel.highest : 1;
  }
  return panel;
}

void add_panel(TraceChart& chart, TracePanel panel) {
  if (panel.mean) {
    chart.panels.push_back(std::move(panel));
  }
}

TraceChart power_chart(const Analysis& analysis, const PowerTrace& trace) {
  TraceChart chart;
  const bool named = trace.device < analysis.devices.size() && analysis.devices.size() > 1;
  chart.title = "Power and clocks over the run";
  chart.title += named ? fmt::format(", device {}", trace.device) : "";
  chart.note = "What the driver (NVML) said of the whole device";
  if (analysis.policy.power_sampling_period_s) {
    chart.note +=
        fmt::format(", asked every {}",
                    format_quantity(*analysis.policy.power_sampling_period_s, Unit::second));
  }
  chart.note += trace.phases.empty()
                    ? "."
                    : ". Every sample of the run, idle or not, pauses between the phases included: "
                      "the table of phases has the clocks of busy samples only, and its power is "
                      "energy / time where the energy counter moved often enough.";
  chart.time_s = trace.time_s;
  chart.duration_s = trace.time_s.empty() ? 0 : trace.time_s.back();
  for (const PowerPhaseTrace& phase : trace.phases) {
    chart.marks.push_back({printable(phase.variant.empty() ? phase.name : phase.variant),
                           phase.start_s, phase.start_s + phase.duration_s});
  }
  add_panel(chart, panel_of("Power", "Of the whole device", Unit::watt, trace.power_w));
  add_panel(chart, panel_of("SM clock", "At the moment of the sample, idle or not", Unit::hertz,
                            trace.sm_clock_hz));
  return chart;
}

// Ids of data/pm-sampling; others are shown by their id.
std::string channel_title(const std::string& id) {
  static const std::map<std::string, std::string> titles = {{"sm_active_share", "SMs busy"},
                                                            {"tensor_pipe_share", "Tensor pipe"},
                                                            {"l2_share", "L2"},
                                                            {"hbm_read_share", "HBM read"},
                                                            {"hbm_write_share", "HBM write"}};
  const auto found = titles.find(id);
  return found == titles.end() ? printable(id) : found->second;
}

// What ran while the counters were sampled: of a reference run all launches of a variant once,
// which may be a single one; of a profiled program one launch.
std::string sampled_title(const Analysis& analysis, const PmTrace& trace) {
  if (!trace.kernel.empty()) {
    return fmt::format("Launch {} of {} over time", trace.nth,
                       printable(short_kernel_name(trace.kernel)));
  }
  std::vector<std::string> kernels;
  std::int64_t launches = 0;
  for (const VariantAnalysis& variant : analysis.variants) {
    for (const std::size_t kernel :
         variant.name == trace.variant ? variant.kernels : std::vector<std::size_t>()) {
      kernels.push_back(printable(analysis.kernels[kernel].short_name));
      launches += analysis.kernels[kernel].launches;
    }
  }
  const std::string variant = printable(trace.variant);
  if (launches == 1) {
    return fmt::format("One launch of {} over time{}", kernels.front(),
                       kernels.front() == variant ? "" : ", the whole of " + variant);
  }
  const std::string run = "One run of " + variant + " over time";
  return launches > 1 ? fmt::format("{}: {} launches", run, launches) : run;
}

TraceChart pm_chart(const Analysis& analysis, const PmTrace& trace) {
  TraceChart chart;
  chart.title = sampled_title(analysis, trace);
  if (analysis.devices.size() > 1) {
    chart.title += fmt::format(", device {}", trace.device);
  }
  chart.note = fmt::format("Shares of the peak, read by the hardware every {}{}.",
                           format_quantity(trace.interval_s, Unit::second),
                           trace.cut_off ? "; the end of the run is missing" : "");
  chart.time_s = trace.time_s;
  chart.duration_s = trace.duration_s;
  for (const PmChannel& channel : trace.channels) {
    TracePanel panel = panel_of(channel_title(channel.id), printable(channel.description),
                                unit_from_name(channel.unit), channel.values);
    panel.top = panel.unit == Unit::share ? std::max(1.0, panel.top) : panel.top;
    add_panel(chart, std::move(panel));
  }
  return chart;
}

}  // namespace

std::vector<TraceChart> trace_charts(const Analysis& analysis) {
  std::vector<TraceChart> charts;
  for (const PowerTrace& trace : analysis.power) {
    charts.push_back(power_chart(analysis, trace));
  }
  for (const PmTrace& trace : analysis.pm_traces) {
    charts.push_back(pm_chart(analysis, trace));
  }
  charts.erase(std::remove_if(charts.begin(), charts.end(),
                              [](const TraceChart& chart) {
                                return chart.panels.empty() || !(chart.duration_s > 0);
                              }),
               charts.end());
  return charts;
}

std::vector<double> binned(const TraceChart& chart, const TracePanel& panel, std::size_t bins) {
  std::vector<double> sums(bins, 0);
  std::vector<std::size_t> counts(bins, 0);
  for (std::size_t i = 0; i < panel.values.size() && bins > 0; ++i) {
    if (std::isfinite(panel.values[i])) {
      const double place = chart.time_s[i] / chart.duration_s * static_cast<double>(bins);
      const auto bin =
          static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(bins - 1)));
      sums[bin] += panel.values[i];
      ++counts[bin];
    }
  }
  for (std::size_t bin = 0; bin < bins; ++bin) {
    sums[bin] = counts[bin] > 0 ? sums[bin] / static_cast<double>(counts[bin]) : not_measured;
  }
  return sums;
}

Table power_table(const Analysis& analysis) {
  Table table{"power", "Power and clocks", {}, {}};
  table.columns = {
      {"phase", "Phase", "What ran meanwhile", Unit::text},
      {"duration_s", "Time", "Of the phase", Unit::second},
      {"runs", "Runs", "Of the variant, back to back", Unit::count},
      {"power_w", "Power",
       "Of the whole device: energy / time, or the mean of the samples where the energy counter "
       "moved too seldom",
       Unit::watt},
      {"energy_j", "Energy", "By the device's counter; not where it moved too seldom", Unit::joule},
      {"sm_clock_min_hz", "Min busy clock", "SM clock in samples with work on the device",
       Unit::hertz},
      {"sm_clock_mean_hz", "Mean busy clock", "SM clock in samples with work on the device",
       Unit::hertz},
      {"sm_clock_max_hz", "Max busy clock", "SM clock in samples with work on the device",
       Unit::hertz},
      {"power_capped", "Power-capped", "Samples in which the power limit held the clocks down",
       Unit::share},
      {"slowed", "Slowed", "Samples in which heat or the board slowed the device", Unit::share},
      {"temperature", "Hottest (°C)", "Of the device, in degrees Celsius", Unit::none},
  };
  for (const PowerTrace& trace : analysis.power) {
    for (const PowerPhaseTrace& phase : trace.phases) {
      const std::string name =
          phase.variant.empty() ? phase.name : phase.name + " of " + phase.variant;
      Row row;
      row.cells = {
          text_cell(analysis.power.size() > 1 ? fmt::format("{} (device {})", name, trace.device)
                                              : name),
          number_cell(phase.duration_s),
          phase.runs > 0 ? count_cell(phase.runs) : Cell(),
          number_cell(phase.power_w),
          number_cell(phase.energy_j),
          number_cell(phase.sm_clock_min_hz),
          number_cell(phase.sm_clock_mean_hz),
          number_cell(phase.sm_clock_max_hz),
          number_cell(phase.power_capped_share),
          number_cell(phase.slowed_share),
          number_cell(phase.temperature_max_c)};
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

}  // namespace ridgepoint
