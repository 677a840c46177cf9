// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint::gui {

// Read-only and shared: made once on a worker thread, shown by every view.
using AnalysisPtr = std::shared_ptr<const Analysis>;

}  // namespace ridgepoint::gui
