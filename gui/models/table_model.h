// SPDX-License-Identifier: GPL-3.0-or-later
// A presenter's table (reports/presenters/table.h) as a Qt model. Sorting and filtering are the
// presenter's own, so that the window shows rows in the order the reports print them; the model
// only keeps which table row stands where.
#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <optional>
#include <vector>

#include "reports/presenters/table.h"

namespace ridgepoint::gui {

class TableModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Role {
    kernel_role = Qt::UserRole,  // index into Analysis::kernels, invalid when the row has none
    raw_role,                    // double or QString, invalid when not measured
    share_role,                  // 0..1 for columns of shares: the bar behind the number
    sentence_role                // whether the text is one that is cut at its end
  };

  using QAbstractTableModel::QAbstractTableModel;

  void setTable(Table table);
  const Table& table() const { return table_; }
  void setFilter(const QString& text);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation,
                      int role = Qt::DisplayRole) const override;
  // Column -1 restores the table's own order.
  void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

  std::optional<std::size_t> kernelAt(int row) const;
  int rowOfKernel(std::size_t kernel) const;  // -1 when it has no row or is filtered out
  bool columnIsEmpty(int column) const;       // nothing in it was measured

 private:
  std::vector<std::size_t> visibleRows() const;

  Table table_;
  std::vector<std::size_t> order_;  // table row shown at each model row
  QString filter_;
  int sort_column_ = -1;
  Qt::SortOrder sort_order_ = Qt::AscendingOrder;
};

}  // namespace ridgepoint::gui
