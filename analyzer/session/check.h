// Is a session consistent? Readers and importers call this before anybody indexes into one.
#pragma once

#include <string>

#include "analyzer/session/session.h"

namespace ridgepoint {

// Empty when every index of the session points at something and every table has as many rows as it
// must; else the first fault, in words: "launches[3] names kernel 9 of 4".
std::string session_fault(const Session& session);

}  // namespace ridgepoint
