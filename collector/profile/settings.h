// What the launcher tells the library that it has loaded into the profiled program: one environment
// variable, JSON inside.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/core/error.h"
#include "collector/profile/timeline_options.h"

namespace ridgepoint::collector {

inline constexpr const char* settings_variable = "RIDGEPOINT_PROFILE";
// Read by the CUDA driver and by NVTX; each loads the library it names.
inline constexpr const char* cuda_injection_variable = "CUDA_INJECTION64_PATH";
inline constexpr const char* nvtx_injection_variable = "NVTX_INJECTION64_PATH";

struct FilterOptions {
  std::string kernel;       // POSIX extended regular expression; empty: every kernel
  std::string nvtx;         // the same, for the names of NVTX ranges; empty: everywhere
  std::string nvtx_domain;  // exact; empty: any
  std::string no_replay;    // kernels that are never run a second time
  std::int64_t launch_skip = 0;
  std::int64_t launch_count = -1;  // of those left by the other filters; -1: all
};

struct ProfileSettings {
  std::string run_id;       // of this run alone: names its journals
  std::string output;       // absolute, with placeholders (output_name.h)
  std::string data_folder;  // share/ridgepoint, which the profiled program cannot find by itself
  std::string version;
  std::string command_line;
  bool record_host = false;
  std::string counter_profile = "none";  // "none", "lite", "default", "full", "custom"
  std::vector<std::string> counters;     // of "custom"
  FilterOptions filter;
  // "flush", "none", "warm"; empty: flush where kernels are run again, none of ours elsewhere.
  std::string cache_control;
  double replay_timeout_s = 10;
  TimelineOptions timeline;
  bool stalls = false;  // PC samples all along; with counter_profile "none" only
  std::uint32_t sampling_period_log2 = 16;  // one sample every 2^N cycles on each SM
  bool follow_children = true;
  std::int64_t launcher_process = 0;
};

std::string settings_to_text(const ProfileSettings& settings);
Result<ProfileSettings> settings_from_text(std::string_view text);

}  // namespace ridgepoint::collector
