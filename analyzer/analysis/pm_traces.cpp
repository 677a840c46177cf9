#include "analyzer/analysis/pm_traces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "analyzer/metrics/counter_map.h"

namespace ridgepoint {
namespace {

constexpr const char* activity_id = "sm_active_share";
constexpr double idle_share = 1e-3;

// The first record reaches back to when the sampler was made, half a second and more.
std::size_t first_regular_row(const PmSeries& series) {
  std::size_t row = 0;
  while (row < series.start_s.size() &&
         series.end_s[row] - series.start_s[row] > 2 * series.interval_s) {
    ++row;
  }
  return row;
}

// Samples of an idle GPU before the first kernel and after the last say nothing of the run.
std::pair<std::size_t, std::size_t> busy_rows(const std::vector<double>& activity,
                                              std::size_t from) {
  const auto busy = [](double share) { return share > idle_share; };
  const auto first =
      std::find_if(activity.begin() + static_cast<std::ptrdiff_t>(from), activity.end(), busy);
  const auto last = std::find_if(activity.rbegin(), activity.rend(), busy).base();
  return {static_cast<std::size_t>(first - activity.begin()),
          static_cast<std::size_t>(std::max(first, last) - activity.begin())};
}

std::vector<PmChannel> channels_of(const PmSeries& series, const CounterMap& map) {
  CounterTable table;
  table.names = series.names;
  table.columns = series.columns;
  std::vector<PmChannel> channels;
  for (const QuantityDefinition& quantity : map.quantities) {
    PmChannel channel{quantity.id, quantity.unit, quantity.description, {}};
    bool any = false;
    for (std::size_t row = 0; row < series.start_s.size(); ++row) {
      channel.values.push_back(evaluate(quantity, table, row).value_or(not_measured));
      any = any || !std::isnan(channel.values.back());
    }
    if (any) {
      channels.push_back(std::move(channel));
    }
  }
  return channels;
}

std::string name_of(const PmSeries& series, const Session& session) {
  return series.kernel == no_index
             ? series.variant
             : fmt::format("launch {} of {}", series.nth,
                           session.kernels[static_cast<std::size_t>(series.kernel)].name);
}

Issue unusable(const std::string& name, const std::string& why) {
  return {"pm_sampling.unusable",
          fmt::format("the samples over time of {} are left out: {}", name, why)};
}

}  // namespace

Status fill_pm_traces(Analysis& analysis, const Session& session) {
  for (const PmSeries& series : session.pm_series) {
    const std::string& chip = session.devices[series.device].chip;
    const std::string name = name_of(series, session);
    const Result<std::optional<CounterMap>> map = load_pm_sampling_map(chip);
    if (!map) {
      return tl::make_unexpected(map.error());
    }
    if (!*map) {
      analysis.issues.push_back(unusable(name, "no file names its counters for chip " + chip));
      continue;
    }
    PmTrace trace;
    trace.variant = series.variant;
    if (series.kernel != no_index) {
      trace.kernel = session.kernels[static_cast<std::size_t>(series.kernel)].name;
      trace.nth = series.nth;
    }
    trace.device = series.device;
    trace.interval_s = series.interval_s;
    trace.cut_off = series.cut_off;
    trace.channels = channels_of(series, **map);
    const auto activity =
        std::find_if(trace.channels.begin(), trace.channels.end(),
                     [](const PmChannel& channel) { return channel.id == activity_id; });
    const std::size_t from = first_regular_row(series);
    const auto [first, end] = activity == trace.channels.end()
                                  ? std::pair<std::size_t, std::size_t>(from, series.start_s.size())
                                  : busy_rows(activity->values, from);
    if (first >= end) {
      analysis.issues.push_back(unusable(name, "no SM was busy in any of them"));
      continue;
    }
    const double origin_s = series.start_s[first];
    for (std::size_t row = first; row < end; ++row) {
      trace.time_s.push_back((series.start_s[row] + series.end_s[row]) / 2 - origin_s);
    }
    trace.duration_s = series.end_s[end - 1] - origin_s;
    for (PmChannel& channel : trace.channels) {
      channel.values =
          std::vector<double>(channel.values.begin() + static_cast<std::ptrdiff_t>(first),
                              channel.values.begin() + static_cast<std::ptrdiff_t>(end));
    }
    if (series.cut_off) {
      analysis.issues.push_back(
          {"pm_sampling.cut_off",
           fmt::format("the samples over time of {} end before its run did: the device's buffer "
                       "was full; sample less often",
                       name)});
    }
    analysis.pm_traces.push_back(std::move(trace));
  }
  return {};
}

}  // namespace ridgepoint
