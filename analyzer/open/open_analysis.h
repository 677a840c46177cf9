// From a file to its analysis: what every front end does first.
#pragma once

#include <filesystem>

#include "analyzer/analysis/analyse.h"
#include "analyzer/analysis/analysis.h"
#include "analyzer/core/error.h"

namespace ridgepoint {

// Opens a session, a journal or another profiler's export (analyzer/import/read_any.h) and analyses
// it. The source is `imported` for an export, else `recording`; options.source is not looked at.
Result<Analysis> open_analysis(const std::filesystem::path& path, AnalysisOptions options = {});

}  // namespace ridgepoint
