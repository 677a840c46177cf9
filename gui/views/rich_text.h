// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTextBrowser>

namespace ridgepoint::gui {

// Shows HTML that this program composed (texts from a session already escaped by rich()). Loads no
// resource and follows no link, so that even a mistake in escaping reads and fetches nothing.
class RichText : public QTextBrowser {
  Q_OBJECT

 public:
  RichText(QWidget* parent, const QString& accessible_name);
  // Keeps the scroll position when the same content is rendered again, in other colours say.
  void setContent(const QString& body);
  QVariant loadResource(int type, const QUrl& name) override;

 private:
  QString body_;
};

}  // namespace ridgepoint::gui
