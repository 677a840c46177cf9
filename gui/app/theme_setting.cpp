// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/theme_setting.h"

#include <QSettings>

namespace ridgepoint::gui {
namespace {

const QString settings_key = QStringLiteral("window/theme");

}  // namespace

ThemeChoice themeSetting() {
  const QString name = QSettings().value(settings_key).toString();
  if (name == QLatin1String("light")) {
    return ThemeChoice::light;
  }
  return name == QLatin1String("dark") ? ThemeChoice::dark : ThemeChoice::system;
}

void setThemeSetting(ThemeChoice choice) {
  const char* names[] = {"system", "light", "dark"};
  QSettings().setValue(settings_key, QString::fromLatin1(names[static_cast<int>(choice)]));
}

}  // namespace ridgepoint::gui
