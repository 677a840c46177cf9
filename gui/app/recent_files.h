// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace ridgepoint::gui {

// The files opened last, newest first, kept in the settings.
class RecentFiles {
 public:
  static constexpr int limit = 10;

  static QStringList list();
  static void add(const QString& path);
  static void clear();
};

}  // namespace ridgepoint::gui
