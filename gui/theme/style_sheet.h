// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "gui/theme/theme.h"

namespace ridgepoint::gui {

// What a palette cannot say: spacing, borders, and the flat look of docks, tabs and tables. Widgets
// opt in to the card look by the property `card`, to text roles by the property `role`.
QString styleSheet(const Theme& theme);

}  // namespace ridgepoint::gui
