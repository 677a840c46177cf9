// The options of `ridgepoint attention`, the same whether this build can measure or not.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/core/error.h"
#include "analyzer/session/session.h"
#include "analyzer/targets/targets.h"
#include "cli/commands/problem_options.h"
#include "cli/output.h"
#include "cli/progress.h"

namespace ridgepoint::cli {

struct AttentionCommand : ProblemOptions {
  std::vector<std::string> variants;
  int device = 0;
  std::string profile = "default";
  bool no_stalls = false;
  bool no_power = false;
  double pm_interval_us = 0;
  int warmup = 10;
  int repeats = 200;
  std::uint64_t seed = 1;
  std::string output;
  bool record_host = false;
  std::optional<double> price_per_hour;
  TargetLimits targets;
  ProgressStyle progress = ProgressStyle::automatic;
  ReportFiles reports;

  void add_to(CLI::App& command);
  Status check() const;  // what the parser's own range checks cannot see
  // `output`, or a name made of the shape and the time, so that no run replaces another.
  std::string session_path() const;
};

}  // namespace ridgepoint::cli
