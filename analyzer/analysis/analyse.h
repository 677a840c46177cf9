#pragma once

#include <optional>

#include "analyzer/analysis/analysis.h"
#include "analyzer/core/error.h"
#include "analyzer/session/session.h"
#include "analyzer/targets/targets.h"

namespace ridgepoint {

struct AnalysisOptions {
  Source source = Source::recording;
  TargetLimits targets;
  std::optional<double> price_per_hour;  // of the GPU, in any currency
};

// Derives everything from a session. Reads the counter and chip descriptions of data_directory().
// Fails only when those cannot be read, or when the session's indices do not fit each other (which
// read_session() never returns); whatever the session lacks becomes an empty optional and an issue.
Result<Analysis> analyse(const Session& session, const AnalysisOptions& options = {});

}  // namespace ridgepoint
