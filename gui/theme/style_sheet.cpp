// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/theme/style_sheet.h"

#include <utility>

namespace ridgepoint::gui {

QString styleSheet(const Theme& theme) {
  QString sheet = QStringLiteral(R"(
QMainWindow::separator { background: @window; width: 6px; height: 6px; }
QMainWindow::separator:hover { background: @accent; }
QMenuBar { background: @window; color: @text; padding: 2px 6px; border: none; }
QMenuBar::item { padding: 4px 9px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: @border; }
QMenu { background: @surface; color: @text; border: 1px solid @border; padding: 4px; }
QMenu::item { padding: 5px 24px 5px 22px; border-radius: 4px; }
QMenu::item:selected { background: @accent; color: @onaccent; }
QMenu::item:disabled { color: @muted; }
QMenu::separator { height: 1px; background: @border; margin: 4px 6px; }
QToolTip { background: @surface; color: @text; border: 1px solid @border; padding: 5px; }
QDockWidget { color: @muted; font-weight: 600; }
QDockWidget::title { background: @window; padding: 6px 8px; text-align: left; }
QTabBar { background: @window; }
QTabBar::tab { background: transparent; color: @muted; padding: 6px 12px; margin: 0 1px; border: none;
  border-bottom: 2px solid transparent; }
QTabBar::tab:selected { color: @text; border-bottom: 2px solid @accent; }
QTabBar::tab:hover { color: @text; }
QTabBar::tab:focus { background: @raised; color: @text; }
QTabBar::scroller { width: 44px; }
QTabBar QToolButton { padding: 0; border-radius: 4px; background: @raised; }
QFrame[card="true"] { background: @surface; border: 1px solid @border; border-radius: 8px; }
QLabel { background: transparent; }
QLabel[role="muted"] { color: @muted; }
QLabel[role="caption"] { color: @muted; font-size: 11px; }
QLabel[role="figure"] { font-size: 19px; font-weight: 600; }
QLabel[role="headline"] { font-size: 30px; font-weight: 700; color: @accent; }
QLabel[role="title"] { font-size: 15px; font-weight: 600; }
QLabel[role="hero"] { font-size: 26px; font-weight: 700; }
#messageBar { border: 1px solid @accent; border-radius: 8px; background: @selection; }
#messageBar[kind="error"] { border-color: @bad; background: @badtint; }
#messageBar[kind="error"] #messageTitle { color: @bad; }
#messageTitle { font-weight: 600; }
QTableView { background: @surface; alternate-background-color: @raised; border: 1px solid @border;
  border-radius: 8px; gridline-color: transparent; selection-background-color: @selection;
  selection-color: @text; outline: none; }
QTableView::item { padding: 3px 8px; border: none; }
QTableView::item:focus { border: 1px solid @accent; }
QHeaderView { background: @surface; border: none; }
QHeaderView::section { background: @raised; color: @muted; border: none; border-bottom: 1px solid @border;
  padding: 6px 8px; font-weight: 600; }
QHeaderView::section:hover { color: @text; }
QTableCornerButton::section { background: @raised; border: none; }
QListView { background: @surface; border: 1px solid @border; border-radius: 8px; outline: none; }
QTextBrowser { background: @surface; border: 1px solid @border; border-radius: 8px; }
QLineEdit { background: @surface; color: @text; border: 1px solid @border; border-radius: 6px; padding: 4px 8px;
  selection-background-color: @accent; selection-color: @onaccent; }
QLineEdit:focus { border: 1px solid @accent; }
QPushButton, QToolButton { background: @surface; color: @text; border: 1px solid @border; border-radius: 6px;
  padding: 4px 10px; }
QPushButton:hover, QToolButton:hover { background: @raised; border-color: @muted; }
QPushButton:focus, QToolButton:focus { border: 1px solid @accent; }
QPushButton:pressed, QToolButton:pressed { background: @border; }
QToolButton:checked { background: @selection; border-color: @accent; }
QToolButton::menu-indicator { image: none; width: 0; }
QPushButton[role="primary"] { background: @accent; color: @onaccent; border-color: @accent; padding: 8px 18px;
  font-weight: 600; }
QPushButton[role="primary"]:hover { background: @accenthover; }
QPushButton[role="link"], QToolButton[role="link"] { background: transparent; border: 1px solid transparent;
  color: @accent; text-align: left; padding: 4px 6px; }
QPushButton#issues { padding: 2px 0; }
QPushButton[role="link"]:hover { background: @raised; }
QPushButton[role="link"]:focus { border: 1px solid @accent; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 2px; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 2px; }
QScrollBar::handle { background: @border; border-radius: 3px; min-height: 24px; min-width: 24px; }
QScrollBar::handle:hover { background: @muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QScrollArea { background: transparent; border: none; }
QStatusBar { background: @window; color: @muted; }
QStatusBar::item { border: none; }
QProgressBar { background: @border; border: none; border-radius: 3px; max-height: 6px; min-height: 6px; }
QProgressBar::chunk { background: @accent; border-radius: 3px; }
QCheckBox { spacing: 6px; }
QCheckBox::indicator { width: 12px; height: 12px; border: 1px solid @muted; border-radius: 3px; background: @surface; }
QCheckBox::indicator:checked { background: @accent; border-color: @accent; }
QCheckBox:focus { color: @accent; }
)");
  QColor selection = theme.accent;
  selection.setAlphaF(theme.dark ? 0.30F : 0.16F);
  const auto css = [](const QColor& colour) {
    return QStringLiteral("rgba(%1,%2,%3,%4)")
        .arg(colour.red())
        .arg(colour.green())
        .arg(colour.blue())
        .arg(colour.alpha());
  };
  QColor bad_tint = theme.bad;
  bad_tint.setAlphaF(theme.dark ? 0.20F : 0.10F);
  // Longer names first: "@accenthover" must not be taken for "@accent".
  const std::pair<const char*, QString> names[] = {
      {"@accenthover", theme.accent.lighter(112).name()},
      {"@onaccent", theme.on_accent.name()},
      {"@selection", css(selection)},
      {"@badtint", css(bad_tint)},
      {"@bad", theme.bad.name()},
      {"@surface", theme.surface.name()},
      {"@window", theme.window.name()},
      {"@raised", theme.raised.name()},
      {"@border", theme.border.name()},
      {"@accent", theme.accent.name()},
      {"@muted", theme.muted.name()},
      {"@text", theme.text.name()},
  };
  for (const auto& [name, value] : names) {
    sheet.replace(QLatin1String(name), value);
  }
  return sheet;
}

}  // namespace ridgepoint::gui
