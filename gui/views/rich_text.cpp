// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/rich_text.h"

#include <QScrollBar>

#include "gui/theme/theme.h"

namespace ridgepoint::gui {

RichText::RichText(QWidget* parent, const QString& accessible_name) : QTextBrowser(parent) {
  setAccessibleName(accessible_name);
  setOpenLinks(false);
  setTabChangesFocus(true);
  document()->setDocumentMargin(10);
}

void RichText::setContent(const QString& body) {
  const bool same = body == body_;
  const int position = same ? verticalScrollBar()->value() : 0;
  body_ = body;
  const Theme& t = themeOf(palette());
  setHtml(QStringLiteral(
              "<style>body { color: %1; } h3 { font-size: 15px; margin: 12px 0 4px 0; } "
              "p { margin: 4px 0; } td { padding: 2px 14px 2px 0; } .muted { color: %2; } "
              ".good { color: %3; } .bad { color: %4; } .head { color: %2; font-weight: 600; }"
              "</style><body>%5</body>")
              .arg(t.text.name(), t.muted.name(), t.good.name(), t.bad.name(), body));
  verticalScrollBar()->setValue(position);
}

QVariant RichText::loadResource(int, const QUrl&) {
  return {};
}

}  // namespace ridgepoint::gui
