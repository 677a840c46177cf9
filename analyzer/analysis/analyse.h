#pragma once

#include "analyzer/analysis/analysis.h"
#include "analyzer/core/error.h"
#include "analyzer/session/session.h"

namespace ridgepoint {

struct AnalysisOptions {
  Source source = Source::recording;
};

// Derives everything from a session. Reads the counter and chip descriptions of data_directory().
// Fails only when those cannot be read; whatever the session lacks becomes an empty optional and an
// issue.
Result<Analysis> analyse(const Session& session, const AnalysisOptions& options = {});

}  // namespace ridgepoint
