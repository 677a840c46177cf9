// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QApplication;

namespace ridgepoint::gui {

// Names, icon and resources that the program and its tests set alike, before the first window.
void prepareApplication(QApplication& app);

}  // namespace ridgepoint::gui
