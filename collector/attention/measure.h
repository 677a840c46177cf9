// `ridgepoint attention`: runs the variants side by side and returns one session. No CUDA or CUPTI
// type here.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "analyzer/core/error.h"
#include "analyzer/session/session.h"

namespace ridgepoint::collector {

struct AttentionRunOptions {
  AttentionShape shape;               // softmax_scale 0 means 1/sqrt(head_dim)
  std::vector<std::string> variants;  // empty: all that can run the shape
  int device = 0;
  std::string counter_profile = "default";  // "none", "lite", "default", "full"
  bool pc_sampling = true;
  bool power = true;  // watch power and clocks, and run each variant back to back for its energy
  std::int64_t pm_interval_ns = 0;  // sample counters over time so often; 0: not at all
  int warmup_runs = 10;
  int latency_repeats = 200;
  std::uint64_t seed = 1;
  std::filesystem::path output;  // NAME.ridge
  bool force = false;
  std::string command_line;  // recorded in the session as typed
  bool record_host = false;
};

struct Progress {
  std::string
      phase;  // "inputs", "correctness", "latency", "energy", "counters", "stalls", "writing"
  std::string text;  // for people
  std::int64_t done = 0;
  std::int64_t total = 0;  // 0: unknown
};
using ProgressSink = std::function<void(const Progress&)>;

struct AttentionOutcome {
  Session session;  // as written to options.output
  // What could not be measured although it was asked for (refused counters, ...), each with its
  // hint. The session holds them as issues too. Not empty: the run is worth its timings, but exits
  // with the first one's code.
  std::vector<Error> missing;
};

Result<AttentionOutcome> measure_attention(const AttentionRunOptions& options,
                                           const ProgressSink& progress);

}  // namespace ridgepoint::collector
