// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/start_page.h"

#include <QFileInfo>
#include <QFrame>
#include <QIcon>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace ridgepoint::gui {

StartPage::StartPage(QWidget* parent)
    : QWidget(parent), recent_title_(new QLabel(tr("Recent sessions"), this)) {
  auto* card = new QFrame(this);
  card->setProperty("card", true);
  card->setFixedWidth(560);

  auto* logo = new QLabel(card);
  logo->setPixmap(QIcon(QStringLiteral(":/ridgepoint/ridgepoint.svg")).pixmap(72, 72));
  logo->setFixedSize(72, 72);
  auto* name = new QLabel(tr("Ridgepoint"), card);
  name->setProperty("role", "hero");
  auto* purpose = new QLabel(
      tr("See where a GPU kernel stands on the roofline, why it is there, and what to change."),
      card);
  purpose->setProperty("role", "muted");
  purpose->setWordWrap(true);
  auto* open = new QPushButton(tr("Open session\u2026"), card);
  open->setObjectName(QStringLiteral("startOpen"));
  open->setProperty("role", "primary");
  open->setDefault(true);
  connect(open, &QPushButton::clicked, this, &StartPage::openRequested);
  auto* drop = new QLabel(tr("or drop a .ridge file anywhere in this window"), card);
  drop->setProperty("role", "muted");
  recent_title_->setProperty("role", "title");
  auto* how = new QLabel(
      tr("To record one on a machine with an NVIDIA GPU:\nridgepoint attention -o run.ridge"),
      card);
  how->setProperty("role", "muted");
  how->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);

  recent_ = new QVBoxLayout;
  recent_->setSpacing(2);
  auto* inside = new QVBoxLayout(card);
  inside->setContentsMargins(40, 36, 40, 32);
  inside->setSpacing(8);
  inside->addWidget(logo, 0, Qt::AlignLeft);
  inside->addWidget(name);
  inside->addWidget(purpose);
  inside->addSpacing(14);
  inside->addWidget(open, 0, Qt::AlignLeft);
  inside->addWidget(drop);
  inside->addSpacing(14);
  inside->addWidget(recent_title_);
  inside->addLayout(recent_);
  inside->addSpacing(10);
  inside->addWidget(how);

  auto* layout = new QVBoxLayout(this);
  layout->addStretch(2);
  layout->addWidget(card, 0, Qt::AlignHCenter);
  layout->addStretch(3);
  setRecentFiles({});
}

void StartPage::setRecentFiles(const QStringList& files) {
  while (QLayoutItem* item = recent_->takeAt(0)) {
    item->widget()->deleteLater();
    delete item;
  }
  for (const QString& path : files) {
    const QFileInfo info(path);
    // An ampersand in a file name is no mnemonic.
    QString text = info.fileName() + QStringLiteral("   ") + info.absolutePath();
    text = fontMetrics().elidedText(text, Qt::ElideMiddle, 450);
    text.replace(QLatin1Char('&'), QLatin1String("&&"));
    auto* button = new QPushButton(text, this);
    button->setProperty("role", "link");
    button->setToolTip(path.toHtmlEscaped());
    button->setAccessibleName(tr("Open %1").arg(path));
    connect(button, &QPushButton::clicked, this, [this, path] { emit fileRequested(path); });
    recent_->addWidget(button);
  }
  recent_title_->setVisible(!files.isEmpty());
}

}  // namespace ridgepoint::gui
