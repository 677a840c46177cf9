// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>

#include "gui/models/table_model.h"
#include "gui/views/analysis_view.h"

class QLabel;
class QLineEdit;
class QTableView;

namespace ridgepoint::gui {

// Any presenter's table: filter box, sortable columns, hideable columns, copy as CSV or Markdown.
// Rows that belong to a kernel take part in the shared selection.
class TableView : public AnalysisView {
  Q_OBJECT

 public:
  using Presenter = Table (*)(const Analysis&);

  TableView(KernelSelection& selection, QWidget* parent, Presenter presenter);

 protected:
  void showAnalysis(const Analysis& analysis) override;
  void showSelection() override;

 private:
  void applyFilter();
  void followCurrentRow();
  void showCount();
  void copy(QString (*format)(const QAbstractItemModel&, const QModelIndexList&));
  void showHeaderMenu(const QPoint& position);
  void showContextMenu(const QPoint& position);
  void fitColumns();

  Presenter presenter_;
  TableModel* model_;
  QTableView* table_;
  QLineEdit* filter_;
  QLabel* count_;
  QTimer debounce_;
  bool following_ = false;  // the table is being moved to the shared selection, not by the user
};

}  // namespace ridgepoint::gui
