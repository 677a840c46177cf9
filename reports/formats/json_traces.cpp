#include "reports/formats/json_traces.h"

#include "reports/formats/json_values.h"

namespace ridgepoint {
namespace {

using Json = nlohmann::ordered_json;

Json column(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) {
    list.push_back(json_number(value));
  }
  return list;
}

Json phase_json(const PowerPhaseTrace& phase) {
  return {{"name", phase.name},
          {"variant", json_text(phase.variant)},
          {"start_s", json_number(phase.start_s)},
          {"duration_s", json_number(phase.duration_s)},
          {"runs", phase.runs > 0 ? Json(phase.runs) : Json(nullptr)},
          {"power_w", json_number(phase.power_w)},
          {"energy_j", json_number(phase.energy_j)},
          {"sm_clock_hz",
           {{"min", json_number(phase.sm_clock_min_hz)},
            {"mean", json_number(phase.sm_clock_mean_hz)},
            {"max", json_number(phase.sm_clock_max_hz)}}},
          {"temperature_max_c", json_number(phase.temperature_max_c)},
          {"power_capped_share", json_number(phase.power_capped_share)},
          {"slowed_share", json_number(phase.slowed_share)}};
}

}  // namespace

Json power_json(const Analysis& analysis) {
  Json list = Json::array();
  for (const PowerTrace& trace : analysis.power) {
    Json phases = Json::array();
    for (const PowerPhaseTrace& phase : trace.phases) {
      phases.push_back(phase_json(phase));
    }
    list.push_back({{"device", trace.device},
                    {"phases", phases},
                    {"time_s", column(trace.time_s)},
                    {"power_w", column(trace.power_w)},
                    {"sm_clock_hz", column(trace.sm_clock_hz)},
                    {"memory_clock_hz", column(trace.memory_clock_hz)},
                    {"temperature_c", column(trace.temperature_c)}});
  }
  return list;
}

Json pm_sampling_json(const Analysis& analysis) {
  Json list = Json::array();
  for (const PmTrace& trace : analysis.pm_traces) {
    Json channels = Json::array();
    for (const PmChannel& channel : trace.channels) {
      channels.push_back({{"id", channel.id},
                          {"unit", channel.unit},
                          {"description", channel.description},
                          {"values", column(channel.values)}});
    }
    list.push_back({{"variant", json_text(trace.variant)},
                    {"kernel", json_text(trace.kernel)},
                    {"launch", trace.kernel.empty() ? Json(nullptr) : Json(trace.nth)},
                    {"device", trace.device},
                    {"interval_s", json_number(trace.interval_s)},
                    {"duration_s", json_number(trace.duration_s)},
                    {"cut_off", trace.cut_off},
                    {"time_s", column(trace.time_s)},
                    {"channels", channels}});
  }
  return list;
}

}  // namespace ridgepoint
