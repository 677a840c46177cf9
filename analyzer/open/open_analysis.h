// From a file to its analysis: what every front end does first.
#pragma once

#include <filesystem>

#include "analyzer/analysis/analyse.h"
#include "analyzer/analysis/analysis.h"
#include "analyzer/core/error.h"

namespace ridgepoint {

// Opens a session, a journal or another profiler's export (analyzer/import/read_any.h) and analyses
// it. The source is `imported` for an export, else `recording`; options.source is not looked at.
struct OpenedSession {
  Session session;
  Analysis analysis;  // of that session
};
Result<OpenedSession> open_session(const std::filesystem::path& path, AnalysisOptions options = {});
// The same for those who need no single launches.
Result<Analysis> open_analysis(const std::filesystem::path& path, AnalysisOptions options = {});

}  // namespace ridgepoint
