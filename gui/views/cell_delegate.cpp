// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/cell_delegate.h"

#include <QPainter>
#include <algorithm>

#include "gui/models/table_model.h"
#include "gui/theme/theme.h"

namespace ridgepoint::gui {

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const {
  const QVariant share = index.data(TableModel::share_role);
  if (share.isValid()) {
    QColor colour = themeOf(option.palette).accent;
    colour.setAlphaF(0.16F);
    QRectF bar = QRectF(option.rect).adjusted(3, 3, -3, -3);
    bar.setWidth(bar.width() * std::clamp(share.toDouble(), 0.0, 1.0));
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(colour);
    painter->drawRoundedRect(bar, 3, 3);
    painter->restore();
  }
  QStyledItemDelegate::paint(painter, option, index);
}

void CellDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
  QStyledItemDelegate::initStyleOption(option, index);
  option->textElideMode =
      index.data(TableModel::sentence_role).toBool() ? Qt::ElideRight : Qt::ElideMiddle;
}

}  // namespace ridgepoint::gui
