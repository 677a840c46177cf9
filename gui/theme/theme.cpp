// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/theme/theme.h"

#include <QApplication>
#include <QStyleFactory>
#include <algorithm>
#include <array>

#include "gui/theme/style_sheet.h"

namespace ridgepoint::gui {
namespace {

const Theme light_theme = {false,
                           QColor("#f3f5f8"),
                           QColor("#ffffff"),
                           QColor("#f7f8fb"),
                           QColor("#17202e"),
                           QColor("#566174"),
                           QColor("#d9dfe8"),
                           QColor("#e6eaf1"),
                           QColor("#1f5fbf"),
                           QColor("#ffffff"),
                           QColor("#0b7a5c"),
                           QColor("#b3341f")};
const Theme dark_theme = {true,
                          QColor("#10151d"),
                          QColor("#171e29"),
                          QColor("#1e2734"),
                          QColor("#e8edf5"),
                          QColor("#9aa7ba"),
                          QColor("#2c3646"),
                          QColor("#263041"),
                          QColor("#6ba6ff"),
                          QColor("#0b1220"),
                          QColor("#4cc9a0"),
                          QColor("#ff8a70")};

using Family = std::array<const char*, 4>;
constexpr Family orange_light = {"#c2540a", "#e07b1f", "#9c4208", "#f0a050"};
constexpr Family orange_dark = {"#ff9d4d", "#ffbf85", "#e67e22", "#ffd7b0"};
constexpr Family blue_light = {"#1f6fd0", "#4f97ea", "#134e99", "#86b8f2"};
constexpr Family blue_dark = {"#62a8ff", "#9ac8ff", "#3b86e6", "#c4dfff"};
constexpr Family teal_light = {"#0e7c7b", "#36a5a2", "#095a59", "#74c4c1"};
constexpr Family teal_dark = {"#4fd1c5", "#8be3da", "#2fb3a7", "#bdf0eb"};
constexpr Family purple_light = {"#7b3fa0", "#9c66bd", "#5a2a78", "#bd94d6"};
constexpr Family purple_dark = {"#c792ea", "#dab6f2", "#a86fd0", "#ead5f8"};
constexpr Family grey_light = {"#6b7a90", "#94a1b3", "#4d5a6d", "#bcc5d1"};
constexpr Family grey_dark = {"#8a99ae", "#6c7a8f", "#aab6c7", "#566377"};

QColor shadeOf(const Family& family, std::size_t shade) {
  return QColor(family.at(shade % family.size()));
}

}  // namespace

const Theme& theme(bool dark) {
  return dark ? dark_theme : light_theme;
}

const Theme& themeOf(const QPalette& palette) {
  return theme(palette.color(QPalette::Window).lightness() < 128);
}

QColor variantColour(const Theme& theme, const std::string& variant, std::size_t shade) {
  if (variant.rfind("naive", 0) == 0) {
    return shadeOf(theme.dark ? orange_dark : orange_light, shade);
  }
  if (variant.rfind("fused", 0) == 0) {
    return shadeOf(theme.dark ? blue_dark : blue_light, shade);
  }
  return shadeOf(theme.dark ? teal_dark : teal_light, shade);
}

QColor severityColour(const Theme& theme, Severity severity) {
  switch (severity) {
    case Severity::critical:
      return QColor(theme.dark ? "#ff8a70" : "#b3341f");
    case Severity::warning:
      return QColor(theme.dark ? "#f2c14e" : "#9a6700");
    case Severity::notice:
      return QColor(theme.dark ? "#6ba6ff" : "#1f5fbf");
    case Severity::info:
      break;
  }
  return theme.muted;
}

QColor stallColour(const Theme& theme, bool memory, std::size_t shade) {
  if (memory) {
    return shadeOf(theme.dark ? purple_dark : purple_light, shade);
  }
  return shadeOf(theme.dark ? grey_dark : grey_light, shade);
}

QColor textOn(const QColor& background) {
  // Relative luminance with the sRGB weights of Rec. 709, on gamma-coded values: enough to choose
  // between two.
  const int luminance =
      2126 * background.red() + 7152 * background.green() + 722 * background.blue();
  return luminance > 5500 * 255 ? QColor("#10151d") : QColor("#ffffff");
}

namespace {

QPalette paletteOf(const Theme& t) {
  QPalette p;
  p.setColor(QPalette::Window, t.window);
  p.setColor(QPalette::WindowText, t.text);
  p.setColor(QPalette::Base, t.surface);
  p.setColor(QPalette::AlternateBase, t.raised);
  p.setColor(QPalette::Text, t.text);
  p.setColor(QPalette::Button, t.surface);
  p.setColor(QPalette::ButtonText, t.text);
  p.setColor(QPalette::BrightText, t.bad);
  p.setColor(QPalette::Highlight, t.accent);
  p.setColor(QPalette::HighlightedText, t.on_accent);
  p.setColor(QPalette::Link, t.accent);
  p.setColor(QPalette::LinkVisited, t.accent);
  p.setColor(QPalette::PlaceholderText, t.muted);
  p.setColor(QPalette::ToolTipBase, t.surface);
  p.setColor(QPalette::ToolTipText, t.text);
  p.setColor(QPalette::Light, t.raised);
  p.setColor(QPalette::Midlight, t.border);
  p.setColor(QPalette::Mid, t.border);
  p.setColor(QPalette::Dark, t.border.darker(120));
  p.setColor(QPalette::Shadow, t.dark ? QColor("#000000") : QColor("#8792a3"));
  for (const QPalette::ColorRole role :
       {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText}) {
    QColor faint = t.muted;
    faint.setAlphaF(0.6F);
    p.setColor(QPalette::Disabled, role, faint);
  }
  return p;
}

}  // namespace

void applyTheme(QApplication& app, ThemeChoice choice) {
  // Asked once, before the first palette of ours hides what the desktop said.
  static const bool desktop_is_dark = themeOf(QApplication::palette()).dark;
  const bool dark =
      choice == ThemeChoice::dark || (choice == ThemeChoice::system && desktop_is_dark);
  QApplication::setStyle(QStyleFactory::create("Fusion"));
  QApplication::setPalette(paletteOf(theme(dark)));
  app.setStyleSheet(styleSheet(theme(dark)));
}

}  // namespace ridgepoint::gui
