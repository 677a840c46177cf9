// The last step for stall samples: rows that several parts of a journal brought are added up, and
// instructions get their SASS and source line while the machine that measured is at hand.
#pragma once

#include "analyzer/session/session.h"

namespace ridgepoint::collector {

// Does nothing to a session without samples. What is missing is told by an issue.
void finish_samples(Session& session);

}  // namespace ridgepoint::collector
