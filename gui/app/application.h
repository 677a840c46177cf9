// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QtGlobal>

#include "analyzer/core/error.h"

class QApplication;

namespace ridgepoint::gui {

// Names, icon and resources that the program and its tests set alike, before the first window.
void prepareApplication(QApplication& app);

// Refuses a file that is absent or cannot be opened, before a window is made for it: with the
// words of every other command.
Status checkFile(const QString& path);

// Stands around the construction of QApplication. Qt aborts the process when no platform plugin
// starts, which is how a missing display shows; while the guard lives, that becomes the error and
// exit code of this project. What Qt only warns of is passed on when the guard goes.
class DisplayGuard {
 public:
  DisplayGuard();
  ~DisplayGuard();
  DisplayGuard(const DisplayGuard&) = delete;
  DisplayGuard& operator=(const DisplayGuard&) = delete;

 private:
  QtMessageHandler previous_;
};

}  // namespace ridgepoint::gui
