// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/theme/theme.h"

namespace ridgepoint::gui {

// The theme chosen in the View menu, kept in the settings.
ThemeChoice themeSetting();
void setThemeSetting(ThemeChoice choice);

}  // namespace ridgepoint::gui
