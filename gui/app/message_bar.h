// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include "analyzer/core/error.h"

class QLabel;

namespace ridgepoint::gui {

// Errors and notes inside the window: no modal box interrupts, and the message stays until it is
// closed or replaced.
class MessageBar : public QFrame {
  Q_OBJECT

 public:
  explicit MessageBar(QWidget* parent);

  void showError(const Error& error);
  void showNote(const QString& text);
  void dismiss();
  QString text() const;

 private:
  enum class Kind { error, note };
  void show(Kind kind, const QString& title, const QString& detail);

  QLabel* title_;
  QLabel* detail_;
};

}  // namespace ridgepoint::gui
