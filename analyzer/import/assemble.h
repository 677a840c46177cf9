// From a recording to a session.
#pragma once

#include <string>

#include "analyzer/import/header.h"
#include "analyzer/import/number.h"
#include "analyzer/import/recording.h"
#include "analyzer/import/tables.h"
#include "analyzer/session/session.h"

namespace ridgepoint::importing {

Session assemble(Recording recording, Layout layout, NumberStyle style, const Tables& tables);

}  // namespace ridgepoint::importing
