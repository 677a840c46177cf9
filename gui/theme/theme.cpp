// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/theme/theme.h"

#include <QApplication>
#include <QStyleFactory>
#include <algorithm>
#include <string_view>

#include "gui/theme/style_sheet.h"
#include "reports/charts/palette.h"

namespace ridgepoint::gui {
namespace {

QColor colour(std::string_view name, bool dark) {
  for (const PaletteEntry& entry : palette) {
    if (entry.name == name) {
      const std::string_view value = dark ? entry.dark : entry.light;
      return QColor(QString::fromLatin1(value.data(), static_cast<int>(value.size())));
    }
  }
  return {};
}

QColor mix(const QColor& a, const QColor& b, float share_of_b) {
  const auto channel = [share_of_b](float x, float y) { return x + (y - x) * share_of_b; };
  return QColor::fromRgbF(channel(a.redF(), b.redF()), channel(a.greenF(), b.greenF()),
                          channel(a.blueF(), b.blueF()));
}

Theme makeTheme(bool dark) {
  Theme t;
  t.dark = dark;
  t.window = colour("page", dark);
  t.surface = colour("card", dark);
  t.raised = mix(t.surface, t.window, dark ? 0.45F : 0.8F);
  t.text = colour("ink", dark);
  t.muted = colour("muted", dark);
  t.border = colour("line", dark);
  t.grid = colour("grid", dark);
  t.roof = colour("roof", dark);
  t.accent = colour("accent", dark);
  t.on_accent = dark ? t.window : t.surface;
  t.good = colour("good", dark);
  t.bad = colour("bad", dark);
  return t;
}

}  // namespace

const Theme& theme(bool dark) {
  static const Theme light_theme = makeTheme(false);
  static const Theme dark_theme = makeTheme(true);
  return dark ? dark_theme : light_theme;
}

const Theme& themeOf(const QPalette& palette) {
  return theme(palette.color(QPalette::Window).lightness() < 128);
}

QColor variantColour(const Theme& theme, const std::string& variant, std::size_t position,
                     std::size_t shade) {
  const QColor base = colour(series_class(variant, position), theme.dark);
  switch (shade % 3) {
    case 1:
      return mix(base, theme.text, 0.40F);
    case 2:
      return mix(base, theme.surface, 0.18F);
    default:
      return base;
  }
}

std::size_t variantPosition(const Analysis& analysis, const std::string& variant) {
  const auto found = std::find_if(analysis.variants.begin(), analysis.variants.end(),
                                  [&](const VariantAnalysis& v) { return v.name == variant; });
  return static_cast<std::size_t>(found - analysis.variants.begin());
}

QColor paletteColour(const Theme& theme, std::string_view name) {
  return colour(name, theme.dark);
}

QColor severityColour(const Theme& theme, Severity severity) {
  switch (severity) {
    case Severity::critical:
      return theme.bad;
    case Severity::warning:
      return colour("warn", theme.dark);
    case Severity::notice:
      return theme.accent;
    case Severity::info:
      break;
  }
  return theme.muted;
}

QColor stallColour(const Theme& theme, StallKind kind) {
  switch (kind) {
    case StallKind::memory:
      return colour("stall-memory", theme.dark);
    case StallKind::other_memory:
      return colour("stall-memory2", theme.dark);
    case StallKind::math:
      return colour("stall-math", theme.dark);
    case StallKind::barrier:
      return colour("stall-sync", theme.dark);
    case StallKind::issue:
      return colour("stall-issue", theme.dark);
    case StallKind::other:
      break;
  }
  return colour("stall-other", theme.dark);
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
