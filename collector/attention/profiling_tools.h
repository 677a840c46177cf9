// What of CUPTI can be used for a run: the library, the chip's counters and their plan, the
// sampler. Each part may be missing without the others.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/core/error.h"
#include "analyzer/session/session.h"
#include "collector/attention/measure.h"
#include "collector/attention/phases.h"
#include "collector/cupti/profiler_host.h"

namespace ridgepoint::collector {

// What was asked for and could not be had: an error for the caller, an issue for the session.
class Missing {
 public:
  void add(const char* code, const Error& error);
  void note(Issue issue) { issues_.push_back(std::move(issue)); }
  const std::vector<Error>& errors() const { return errors_; }
  std::vector<Issue> take_issues();  // those since the last call

 private:
  std::vector<Error> errors_;
  std::vector<Issue> issues_;
};

struct CounterTools {
  ProfilerHost host;
  CounterPlan plan;
};

// Counters of the profile that this CUPTI refuses are left out and named in `missing`.
Result<CounterTools> prepare_counters(const CuptiApi& api, const std::string& chip,
                                      const std::string& profile, Missing& missing);

}  // namespace ridgepoint::collector
