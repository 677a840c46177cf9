// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace ridgepoint::gui {

// What the window shows before a session is open.
class StartPage : public QWidget {
  Q_OBJECT

 public:
  explicit StartPage(QWidget* parent);

  void setRecentFiles(const QStringList& files);

 signals:
  void openRequested();
  void fileRequested(const QString& path);

 private:
  QLabel* recent_title_;
  QVBoxLayout* recent_;
};

}  // namespace ridgepoint::gui
