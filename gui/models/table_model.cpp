// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/table_model.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <unordered_set>

#include "gui/models/display.h"
#include "reports/presenters/format.h"

namespace ridgepoint::gui {
namespace {

bool isText(Unit unit) {
  return unit == Unit::text || unit == Unit::none;
}

}  // namespace

std::vector<std::size_t> TableModel::visibleRows() const {
  std::vector<std::size_t> rows(table_.rows.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  if (sort_column_ >= 0 && static_cast<std::size_t>(sort_column_) < table_.columns.size()) {
    rows = sorted_rows(table_, static_cast<std::size_t>(sort_column_),
                       sort_order_ == Qt::DescendingOrder);
  }
  if (!filter_.isEmpty()) {
    const std::vector<std::size_t> kept = filtered_rows(table_, filter_.toStdString());
    const std::unordered_set<std::size_t> wanted(kept.begin(), kept.end());
    rows.erase(
        std::remove_if(rows.begin(), rows.end(), [&](std::size_t r) { return !wanted.count(r); }),
        rows.end());
  }
  return rows;
}

void TableModel::setTable(Table table) {
  beginResetModel();
  table_ = std::move(table);
  order_ = visibleRows();
  endResetModel();
}

void TableModel::setFilter(const QString& text) {
  if (text == filter_) {
    return;
  }
  beginResetModel();
  filter_ = text;
  order_ = visibleRows();
  endResetModel();
}

void TableModel::sort(int column, Qt::SortOrder order) {
  emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
  sort_column_ = column;
  sort_order_ = order;
  const std::vector<std::size_t> before = std::move(order_);
  order_ = visibleRows();
  // Selections are persistent indexes: they must move along with their row.
  std::vector<int> row_now(table_.rows.size(), -1);
  for (std::size_t row = 0; row < order_.size(); ++row) {
    row_now[order_[row]] = static_cast<int>(row);
  }
  QModelIndexList to;
  const QModelIndexList from = persistentIndexList();
  to.reserve(from.size());
  for (const QModelIndex& index : from) {
    to.append(createIndex(row_now[before[static_cast<std::size_t>(index.row())]], index.column()));
  }
  changePersistentIndexList(from, to);
  emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

int TableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(order_.size());
}

int TableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(table_.columns.size());
}

QVariant TableModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
    return {};
  }
  const Row& row = table_.rows[order_[static_cast<std::size_t>(index.row())]];
  const auto column = static_cast<std::size_t>(index.column());
  const Unit unit = table_.columns[column].unit;
  static const Cell empty;
  const Cell& cell = column < row.cells.size() ? row.cells[column] : empty;
  const double* number = std::get_if<double>(&cell);
  switch (role) {
    case Qt::DisplayRole:
      return plain(format_cell(cell, unit));
    case Qt::ToolTipRole:
      // Names are elided in narrow columns; numbers are shown with their exact value.
      if (number != nullptr && unit != Unit::count) {
        return QStringLiteral("%1 (%2)")
            .arg(plain(format_cell(cell, unit)))
            .arg(*number, 0, 'g', 10);
      }
      return QStringLiteral("<p>%1</p>").arg(rich(format_cell(cell, unit)));
    case Qt::TextAlignmentRole:
      return QVariant(Qt::AlignVCenter | (isText(unit) ? Qt::AlignLeft : Qt::AlignRight));
    case kernel_role:
      return row.kernel ? QVariant::fromValue(static_cast<qulonglong>(*row.kernel)) : QVariant();
    case raw_role:
      if (number != nullptr) {
        return *number;
      }
      if (const auto* text = std::get_if<std::string>(&cell)) {
        return plain(*text);
      }
      return {};
    case sentence_role:
      return table_.columns[column].sentence;
    case share_role:
      return unit == Unit::share && number != nullptr ? QVariant(*number) : QVariant();
    default:
      return {};
  }
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) {
    return {};
  }
  const Column& column = table_.columns[static_cast<std::size_t>(section)];
  switch (role) {
    case Qt::DisplayRole:
      return plain(column.title);
    case Qt::ToolTipRole:
    case Qt::WhatsThisRole:
      return QStringLiteral("<p><b>%1</b><br>%2</p>").arg(rich(column.title), rich(column.tooltip));
    case Qt::TextAlignmentRole:
      return QVariant(Qt::AlignVCenter | (isText(column.unit) ? Qt::AlignLeft : Qt::AlignRight));
    default:
      return {};
  }
}

std::optional<std::size_t> TableModel::kernelAt(int row) const {
  if (row < 0 || row >= rowCount()) {
    return std::nullopt;
  }
  return table_.rows[order_[static_cast<std::size_t>(row)]].kernel;
}

int TableModel::rowOfKernel(std::size_t kernel) const {
  for (std::size_t row = 0; row < order_.size(); ++row) {
    if (table_.rows[order_[row]].kernel == kernel) {
      return static_cast<int>(row);
    }
  }
  return -1;
}

bool TableModel::columnIsEmpty(int column) const {
  const auto at = static_cast<std::size_t>(column);
  return std::all_of(table_.rows.begin(), table_.rows.end(), [at](const Row& row) {
    return at >= row.cells.size() || std::holds_alternative<std::monostate>(row.cells[at]);
  });
}

}  // namespace ridgepoint::gui
