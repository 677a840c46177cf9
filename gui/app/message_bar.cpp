// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/message_bar.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include "gui/models/display.h"

namespace ridgepoint::gui {

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent), title_(new QLabel(this)), detail_(new QLabel(this)) {
  setObjectName(QStringLiteral("messageBar"));
  setAccessibleName(tr("Message"));
  for (QLabel* label : {title_, detail_}) {
    label->setTextFormat(Qt::PlainText);  // file names and reasons come from outside
    label->setWordWrap(true);
    label->setMinimumWidth(200);  // one long word, as a path is, does not widen the window
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  }
  title_->setObjectName(QStringLiteral("messageTitle"));
  detail_->setObjectName(QStringLiteral("messageDetail"));
  auto* close = new QToolButton(this);
  close->setText(tr("Dismiss"));
  close->setObjectName(QStringLiteral("messageDismiss"));
  connect(close, &QToolButton::clicked, this, &MessageBar::dismiss);
  auto* texts = new QVBoxLayout;
  texts->setSpacing(2);
  texts->addWidget(title_);
  texts->addWidget(detail_);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(14, 9, 10, 9);
  layout->addLayout(texts, 1);
  layout->addWidget(close, 0, Qt::AlignTop);
  hide();
}

void MessageBar::showError(const Error& error) {
  const QString what = plain(error.what);
  show(Kind::error, what.isEmpty() ? plain(error.why) : tr("%1: %2").arg(what, plain(error.why)),
       plain(error.hint));
}

void MessageBar::showNote(const QString& text) {
  show(Kind::note, text, {});
}

void MessageBar::show(Kind kind, const QString& title, const QString& detail) {
  title_->setText(title);
  detail_->setText(detail);
  detail_->setVisible(!detail.isEmpty());
  // The style sheet colours the bar by this property; it is looked at again only when asked.
  setProperty("kind", kind == Kind::error ? "error" : "note");
  for (QWidget* widget : {static_cast<QWidget*>(this), static_cast<QWidget*>(title_)}) {
    style()->unpolish(widget);
    style()->polish(widget);
  }
  setAccessibleDescription(text());
  setVisible(true);
  QAccessibleEvent event(this, QAccessible::Alert);
  QAccessible::updateAccessibility(&event);
}

void MessageBar::dismiss() {
  setVisible(false);
}

QString MessageBar::text() const {
  return detail_->text().isEmpty() ? title_->text()
                                   : title_->text() + QLatin1Char('\n') + detail_->text();
}

}  // namespace ridgepoint::gui
