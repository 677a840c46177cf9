// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analyzer/core/error.h"
#include "gui/app/options.h"

namespace ridgepoint::gui {

// Opens the file, waits until it is shown, and writes a picture of the window.
Status takeScreenshot(const ProgramOptions& options);

}  // namespace ridgepoint::gui
