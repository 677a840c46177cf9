// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/busy_bar.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

namespace ridgepoint::gui {

BusyBar::BusyBar(QWidget* parent) : QFrame(parent), text_(new QLabel(this)) {
  setObjectName(QStringLiteral("busy"));
  setProperty("card", true);
  text_->setTextFormat(Qt::PlainText);
  auto* progress = new QProgressBar(this);
  progress->setRange(0, 0);  // how long decompressing and analysing take is not known beforehand
  progress->setTextVisible(false);
  progress->setAccessibleName(tr("Loading"));
  progress->setFixedWidth(160);
  auto* stop = new QPushButton(tr("Stop (Esc)"), this);
  stop->setObjectName(QStringLiteral("stopLoading"));
  connect(stop, &QPushButton::clicked, this, &BusyBar::stopRequested);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(14, 8, 10, 8);
  layout->setSpacing(14);
  layout->addWidget(text_, 1);
  layout->addWidget(progress);
  layout->addWidget(stop);
  hide();
}

void BusyBar::setFile(const QString& path) {
  const QString name = QFileInfo(path).fileName();
  text_->setText(
      tr("Reading %1\u2026").arg(text_->fontMetrics().elidedText(name, Qt::ElideMiddle, 400)));
  setAccessibleName(tr("Reading %1\u2026").arg(name));
}

}  // namespace ridgepoint::gui
