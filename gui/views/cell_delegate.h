// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace ridgepoint::gui {

// Paints a bar of the cell's share behind its number, so that a column of percentages can be
// compared at a glance. Names too long for their column are cut in the middle, since kernels of one
// library differ at their ends, sentences at their end.
class CellDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

}  // namespace ridgepoint::gui
