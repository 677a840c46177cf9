// What a session does not hold although an analysis rests on it. Reports print these first, so that
// an empty column or a time of another kind is not taken for a result.
#pragma once

#include <vector>

#include "analyzer/analysis/analysis.h"
#include "analyzer/session/session.h"

namespace ridgepoint {

std::vector<Issue> note_missing(const Session& session, const Analysis& analysis);

}  // namespace ridgepoint
