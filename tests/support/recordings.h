// The recordings that ship with the program, and what the analyzer makes of them. A test that
// changes one says in its name what it changed.
#pragma once

#include <stdexcept>
#include <string>

#include "analyzer/analysis/analyse.h"
#include "analyzer/session/session_file.h"

namespace ridgepoint::test_support {

inline const char* const wide_recording = "attention-n16384-d64";
inline const char* const batched_recording = "attention-n4096-d128";
inline const char* const backward_recording = "attention-n4096-d128-backward";
inline const char* const decode_recording = "attention-decode-n8192-d128";
inline const char* const causal_recording = "attention-n8192-d128-causal";
inline const char* const plain_recording = "profile-three-kernels";  // of a plain CUDA program

inline std::string recording_path(const std::string& name) {
  return std::string(RIDGEPOINT_SOURCE_DIR) + "/data/recordings/" + name + ".ridge";
}

inline Session recording(const std::string& name = wide_recording) {
  const auto session = read_session(recording_path(name));
  if (!session) {
    throw std::runtime_error(format_error(session.error()));
  }
  return *session;
}

inline Analysis analysed(const Session& session) {
  const auto analysis = analyse(session);
  if (!analysis) {
    throw std::runtime_error(format_error(analysis.error()));
  }
  return *analysis;
}

// Every timed repeat of a variant takes `factor` as long.
inline void slow_down(Session& session, const std::string& variant, double factor) {
  for (VariantRun& run : session.attention->variants) {
    for (double& latency : run.latency_s) {
      latency *= run.name == variant ? factor : 1;
    }
  }
}

// One counter of every launch times `factor`.
inline void scale_counter(Session& session, const std::string& name, double factor) {
  for (double& value : session.counters.column(name, session.launches.size())) {
    value *= factor;
  }
}

}  // namespace ridgepoint::test_support
