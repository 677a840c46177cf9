// What the launcher tells the library that it has loaded into the profiled program: one environment
// variable, JSON inside.
#pragma once

#include <cstdint>
#include <optional>
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

// Whose NVTX ranges a launch stands in.
enum class NvtxScope {
  automatic,  // its thread's; those of all threads when its own has none, as PyTorch's autograd
  thread,     // its thread's alone
  process,    // those of all threads
};
inline constexpr const char* default_nvtx_scope = "auto";
// "auto", "thread", "process"; empty for others.
std::optional<NvtxScope> nvtx_scope_of(const std::string& name);

struct FilterOptions {
  std::string kernel;       // POSIX extended regular expression; empty: every kernel
  std::string nvtx;         // nvtx_pattern.h; empty: everywhere
  std::string nvtx_domain;  // exact; empty: any
  std::string nvtx_scope = default_nvtx_scope;
  std::string no_replay;               // kernels that are never run a second time
  std::vector<std::uint32_t> devices;  // CUDA's numbers in the program; empty: all
  std::string nth;                     // of a kernel's launches on a device: number_set.h
  std::int64_t launch_skip = 0;
  std::int64_t launch_count = -1;  // of those left by the other filters; -1: all

  // By time, which takes a first run to know: 0 asks for nothing.
  std::int64_t top = 0;       // kernels
  double min_duration_s = 0;  // of a launch of this kernel and shape, median
  // What that run has found, as numbers of launch_key.h.
  bool timed = false;
  std::vector<std::uint64_t> timed_kernels;
  std::vector<std::uint64_t> timed_launches;

  bool by_time() const { return top > 0 || min_duration_s > 0; }
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
  bool timing = false;  // a first run: times of launches that the filters let through
  // "flush", "none", "warm"; empty: flush where kernels are run again, none of ours elsewhere.
  std::string cache_control;
  double replay_timeout_s = 10;
  TimelineOptions timeline;
  // "kernel": chosen kernels run again. "application": the program does, and this run takes the
  // counters of one pass. "range": as application, and a range of the filter counts as a whole.
  std::string replay = "kernel";
  std::uint64_t pass = 0;
  bool stalls = false;  // PC samples all along; with counter_profile "none" only
  std::uint32_t sampling_period_log2 = 16;  // one sample every 2^N cycles on each SM
  // Above 0: chosen launches are sampled over time; with counter_profile "none" only.
  std::int64_t pm_interval_ns = 0;
  bool follow_children = true;
  std::int64_t launcher_process = 0;
  std::int64_t started_ns = 0;  // std::chrono::steady_clock, which all processes share
};

std::string settings_to_text(const ProfileSettings& settings);
Result<ProfileSettings> settings_from_text(std::string_view text);

}  // namespace ridgepoint::collector
