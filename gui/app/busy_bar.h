// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;

namespace ridgepoint::gui {

// A line in the window while a session is read; the window stays usable.
class BusyBar : public QFrame {
  Q_OBJECT

 public:
  explicit BusyBar(QWidget* parent);
  void setFile(const QString& path);

 signals:
  void stopRequested();

 private:
  QLabel* text_;
};

}  // namespace ridgepoint::gui
