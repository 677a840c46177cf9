#include "collector/profile/settings.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "analyzer/core/byte_text.h"

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

namespace {

// False where a text is not as `change` wants it.
template <class Change>
bool change_texts(nlohmann::json& json, const Change& change) {
  if (json.is_string()) {
    std::optional<std::string> changed = change(json.get_ref<const std::string&>());
    if (changed) {
      json = std::move(*changed);
    }
    return changed.has_value();
  }
  bool sound = true;
  if (json.is_structured()) {
    for (nlohmann::json& part : json) {
      sound = change_texts(part, change) && sound;
    }
  }
  return sound;
}

}  // namespace

std::string settings_to_text(const ProfileSettings& settings) {
  // Paths and arguments may hold any bytes, and must come out as they went in.
  nlohmann::json json = settings;
  change_texts(json, [](const std::string& bytes) { return std::optional(bytes_as_text(bytes)); });
  return json.dump();
}

Result<ProfileSettings> settings_from_text(std::string_view text) {
  try {
    nlohmann::json json = nlohmann::json::parse(text);
    if (!change_texts(json, bytes_of_text)) {
      return fail(ErrorDomain::usage, std::string("reading ") + settings_variable,
                  "it holds a text that `ridgepoint profile` does not write");
    }
    return json.get<ProfileSettings>();
  } catch (const nlohmann::json::exception& fault) {
    return fail(ErrorDomain::usage, std::string("reading ") + settings_variable, fault.what());
  }
}

}  // namespace ridgepoint::collector
