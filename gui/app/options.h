// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>
#include <optional>
#include <variant>

#include "gui/theme/theme.h"

namespace ridgepoint::gui {

struct ProgramOptions {
  QString file;        // may be empty
  QString screenshot;  // write a picture of the window here and end
  bool force = false;  // replace an existing picture
  QSize size{1440, 900};
  std::optional<ThemeChoice> theme;  // else the setting
  QString select;                    // short name of a kernel to select, for pictures
  QString view;                      // id of a dock to bring to the front, for pictures
};

// --help, --version or a wrong option end the program: with this text and exit code.
struct ProgramExit {
  int code = 0;
  std::string text;
};

// Needs no QApplication, so that --help works without a display.
std::variant<ProgramOptions, ProgramExit> parseOptions(int argc, const char* const* argv);

}  // namespace ridgepoint::gui
