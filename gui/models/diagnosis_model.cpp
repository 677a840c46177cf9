// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/diagnosis_model.h"

#include <algorithm>
#include <numeric>

#include "analyzer/rules/registry.h"
#include "gui/models/display.h"

namespace ridgepoint::gui {

void DiagnosisModel::setAnalysis(const Analysis& analysis) {
  beginResetModel();
  items_.clear();
  const RunGains gains(analysis);
  for (const Diagnosis& one : analysis.diagnoses) {
    items_.push_back({describe(analysis, gains, one), one.severity});
  }
  order_.resize(items_.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  first_.reset();
  endResetModel();
}

void DiagnosisModel::putFirst(std::optional<std::size_t> kernel) {
  if (kernel == first_) {
    return;
  }
  beginResetModel();
  first_ = kernel;
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  if (kernel) {
    std::stable_partition(order_.begin(), order_.end(),
                          [&](std::size_t i) { return items_[i].text.kernel == kernel; });
  }
  endResetModel();
}

int DiagnosisModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(order_.size());
}

QVariant DiagnosisModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
    return {};
  }
  const Item& item = items_[order_[static_cast<std::size_t>(index.row())]];
  switch (role) {
    case Qt::DisplayRole:
      return plain(item.text.title);
    case Qt::ToolTipRole:
      return QStringLiteral("<p>%1</p><p>%2</p>")
          .arg(rich(item.text.explanation), rich(item.text.gain));
    case Qt::AccessibleTextRole:
      return QStringLiteral("%1: %2. %3. %4")
          .arg(plain(item.text.severity), plain(item.text.title), plain(item.text.subject),
               plain(item.text.gain));
    case subject_role:
      return plain(item.text.subject);
    case gain_role:
      return plain(item.text.gain_brief);
    case severity_role:
      return static_cast<int>(item.severity);
    case chosen_role:
      return first_.has_value() && item.text.kernel == first_;
    default:
      return {};
  }
}

const DiagnosisText* DiagnosisModel::at(int row) const {
  return row < 0 || row >= rowCount() ? nullptr
                                      : &items_[order_[static_cast<std::size_t>(row)]].text;
}

std::optional<std::size_t> DiagnosisModel::kernelAt(int row) const {
  const DiagnosisText* text = at(row);
  return text == nullptr ? std::nullopt : text->kernel;
}

}  // namespace ridgepoint::gui
