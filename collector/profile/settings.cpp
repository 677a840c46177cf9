#include "collector/profile/settings.h"

#include <nlohmann/json.hpp>

namespace ridgepoint::collector {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FilterOptions, kernel, nvtx, nvtx_domain, nvtx_scope, no_replay,
                                   devices, nth, launch_skip, launch_count, top, min_duration_s,
                                   timed, timed_kernels, timed_launches)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TimelineOptions, every_launch, graph_nodes, callbacks_only)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ProfileSettings, run_id, output, data_folder, version,
                                   command_line, record_host, counter_profile, counters, filter,
                                   timing, cache_control, replay_timeout_s, replay, pass, timeline,
                                   stalls, sampling_period_log2, pm_interval_ns, follow_children,
                                   launcher_process, started_ns)

std::optional<NvtxScope> nvtx_scope_of(const std::string& name) {
  if (name == "auto") {
    return NvtxScope::automatic;
  }
  if (name == "thread") {
    return NvtxScope::thread;
  }
  return name == "process" ? std::optional(NvtxScope::process) : std::nullopt;
}

std::string settings_to_text(const ProfileSettings& settings) {
  // Arguments may hold any bytes; what is no UTF-8 is replaced.
  return nlohmann::json(settings).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Result<ProfileSettings> settings_from_text(std::string_view text) {
  try {
    return nlohmann::json::parse(text).get<ProfileSettings>();
  } catch (const nlohmann::json::exception& fault) {
    return fail(ErrorDomain::usage, std::string("reading ") + settings_variable, fault.what());
  }
}

}  // namespace ridgepoint::collector
