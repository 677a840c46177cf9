// The series of hardware counters over time, as quantities.
#pragma once

#include "analyzer/analysis/analysis.h"
#include "analyzer/core/error.h"
#include "analyzer/session/session.h"

namespace ridgepoint {

// Fills Analysis::pm_traces by data/pm-sampling; series of a chip that no file there lists, or in
// which no SM was ever busy, give an issue and no trace.
Status fill_pm_traces(Analysis& analysis, const Session& session);

}  // namespace ridgepoint
