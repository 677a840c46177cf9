// `ridgepoint profile`: runs a program with the injection library in it and seals what it left. No
// CUDA or CUPTI type here.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "analyzer/core/error.h"
#include "collector/profile/run_program.h"
#include "collector/profile/seal.h"
#include "collector/profile/settings.h"

namespace ridgepoint::collector {

struct ProfileOptions {
  std::vector<std::string> program;  // with its arguments
  std::filesystem::path output;      // may have placeholders: %p %h %r
  bool force = false;
  std::string counter_profile = "default";  // "none" for a timeline; "custom" with `counters`
  std::vector<std::string> counters;
  FilterOptions filter;
  std::string cache_control;  // settings.h
  double replay_timeout_s = 10;
  TimelineOptions timeline;
  std::string replay = "kernel";            // settings.h
  bool stalls = false;                      // PC samples all along
  std::uint32_t sampling_period_log2 = 16;  // settings.h
  std::int64_t pm_interval_ns = 0;          // settings.h
  bool power = true;  // watch power and clocks of every GPU while the program runs
  bool follow_children = true;
  bool record_host = false;
  std::string command_line;
  bool quiet = false;  // no plan: it costs what waking the driver costs
  // Told the plan, before each run when there are several, and what a timing run has chosen.
  std::function<void(const std::string&)> tell = [](const std::string&) {};
};

struct ProfileOutcome {
  ProgramEnd end;
  SealOutcome sealed;
  // What was asked for and could not be measured, from the sessions' issues.
  std::vector<Error> missing;
};

// One run of the program; with filter.by_time() two, of which the first takes the times. Fails
// before the program is started on everything that can be known before; once it has run, its end is
// always reported.
Result<ProfileOutcome> profile_program(const ProfileOptions& options);

// Installed and built at ../lib/ridgepoint from the running program.
Result<std::filesystem::path> injection_library();

}  // namespace ridgepoint::collector
