// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/table_view.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/models/display.h"
#include "gui/models/table_copy.h"
#include "gui/views/cell_delegate.h"

namespace ridgepoint::gui {
namespace {

constexpr int filter_delay_ms = 300;
constexpr int widest_column_px = 320;
constexpr int widest_last_column_px = 900;  // sentences: the reasons of verdicts

}  // namespace

TableView::TableView(KernelSelection& selection, QWidget* parent, Presenter presenter)
    : AnalysisView(selection, parent),
      presenter_(presenter),
      model_(new TableModel(this)),
      table_(new QTableView(this)),
      filter_(new QLineEdit(this)),
      count_(new QLabel(this)) {
  filter_->setObjectName(QStringLiteral("filter"));
  filter_->setPlaceholderText(tr("Filter rows (Ctrl+F)"));
  filter_->setAccessibleName(tr("Filter rows"));
  filter_->setClearButtonEnabled(true);
  filter_->setMaximumWidth(320);
  count_->setProperty("role", "muted");

  table_->setObjectName(QStringLiteral("table"));
  table_->setModel(model_);
  table_->setItemDelegate(new CellDelegate(table_));
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setAlternatingRowColors(true);
  table_->setShowGrid(false);
  table_->setWordWrap(false);
  table_->setSortingEnabled(true);
  table_->setTabKeyNavigation(false);  // Tab leaves the table; arrows move inside it
  table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(28);
  QHeaderView* header = table_->horizontalHeader();
  header->setSectionsMovable(true);
  header->setHighlightSections(false);
  header->setSortIndicator(-1, Qt::AscendingOrder);
  header->setContextMenuPolicy(Qt::CustomContextMenu);
  table_->setContextMenuPolicy(Qt::CustomContextMenu);

  auto* top = new QHBoxLayout;
  top->addWidget(filter_, 1);
  top->addStretch(1);
  top->addWidget(count_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(6, 4, 6, 6);
  layout->setSpacing(6);
  layout->addLayout(top);
  layout->addWidget(table_, 1);

  debounce_.setSingleShot(true);
  debounce_.setInterval(filter_delay_ms);
  connect(&debounce_, &QTimer::timeout, this, &TableView::applyFilter);
  connect(filter_, &QLineEdit::textChanged, this, [this] { debounce_.start(); });
  connect(filter_, &QLineEdit::returnPressed, this, &TableView::applyFilter);
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          &TableView::followCurrentRow);
  connect(header, &QWidget::customContextMenuRequested, this, &TableView::showHeaderMenu);
  connect(table_, &QWidget::customContextMenuRequested, this, &TableView::showContextMenu);

  const auto add = [this](QWidget* owner, const QString& text, const QKeySequence& key, auto slot) {
    auto* action = new QAction(text, owner);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, slot);
    owner->addAction(action);
  };
  add(table_, tr("Copy as CSV"), QKeySequence::Copy, [this] { copy(copyAsCsv); });
  add(table_, tr("Copy as Markdown"), QKeySequence(tr("Ctrl+Shift+C")),
      [this] { copy(copyAsMarkdown); });
  add(this, tr("Filter"), QKeySequence::Find,
      [this] { filter_->setFocus(Qt::ShortcutFocusReason); });
}

void TableView::showAnalysis(const Analysis& analysis) {
  model_->setTable(presenter_(analysis));
  table_->setAccessibleName(plain(model_->table().title));
  for (int column = 0; column < model_->columnCount(); ++column) {
    table_->setColumnHidden(column, model_->rowCount() > 0 && model_->columnIsEmpty(column));
  }
  fitColumns();
  showCount();
}

void TableView::fitColumns() {
  table_->resizeColumnsToContents();
  const int last = model_->columnCount() - 1;
  for (int column = 0; column <= last; ++column) {
    const int widest = column == last ? widest_last_column_px : widest_column_px;
    table_->setColumnWidth(column, std::min(table_->columnWidth(column) + 10, widest));
  }
}

void TableView::showSelection() {
  const std::optional<std::size_t> kernel = selection().current();
  const int row = kernel ? model_->rowOfKernel(*kernel) : -1;
  if (row >= 0 && model_->kernelAt(table_->currentIndex().row()) == kernel &&
      table_->selectionModel()->isRowSelected(table_->currentIndex().row())) {
    return;  // several rows may belong to one kernel: stay on the one chosen
  }
  following_ = true;
  if (row < 0) {
    table_->clearSelection();
    table_->setCurrentIndex({});
  } else {
    // The column that was current stays, so that a selection made elsewhere does not scroll
    // sideways.
    const QModelIndex index = model_->index(row, std::max(0, table_->currentIndex().column()));
    table_->setCurrentIndex(index);
    table_->selectRow(row);
    table_->scrollTo(index);
  }
  following_ = false;
}

void TableView::followCurrentRow() {
  if (following_) {
    return;
  }
  if (const std::optional<std::size_t> kernel = model_->kernelAt(table_->currentIndex().row())) {
    selection().select(kernel);
  }
}

void TableView::applyFilter() {
  debounce_.stop();
  following_ = true;
  model_->setFilter(filter_->text().trimmed());
  following_ = false;
  showCount();
  showSelection();
}

void TableView::showCount() {
  const int shown = model_->rowCount();
  const auto all = static_cast<int>(model_->table().rows.size());
  count_->setText(shown != all ? tr("%1 of %2 rows").arg(shown).arg(all)
                  : all == 1   ? tr("1 row")
                               : tr("%1 rows").arg(all));
}

void TableView::copy(QString (*format)(const QAbstractItemModel&, const QModelIndexList&)) {
  QModelIndexList shown;
  for (const QModelIndex& index : table_->selectionModel()->selectedIndexes()) {
    if (!table_->isColumnHidden(index.column())) {
      shown.append(index);
    }
  }
  if (!shown.isEmpty()) {
    QApplication::clipboard()->setText(format(*model_, shown));
  }
}

void TableView::showContextMenu(const QPoint& position) {
  QMenu menu(this);
  menu.addActions(table_->actions());
  menu.exec(table_->viewport()->mapToGlobal(position));
}

void TableView::showHeaderMenu(const QPoint& position) {
  QMenu menu(this);
  menu.addAction(tr("Original order"), this,
                 [this] { table_->sortByColumn(-1, Qt::AscendingOrder); });
  menu.addSeparator();
  for (int column = 0; column < model_->columnCount(); ++column) {
    QAction* action = menu.addAction(model_->headerData(column, Qt::Horizontal).toString());
    action->setCheckable(true);
    action->setChecked(!table_->isColumnHidden(column));
    connect(action, &QAction::toggled, this,
            [this, column](bool on) { table_->setColumnHidden(column, !on); });
  }
  menu.exec(table_->horizontalHeader()->mapToGlobal(position));
}

}  // namespace ridgepoint::gui
