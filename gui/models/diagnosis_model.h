// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <optional>
#include <vector>

#include "analyzer/analysis/analysis.h"
#include "reports/presenters/diagnosis.h"

namespace ridgepoint::gui {

// The diagnoses in the analysis' order (most severe first), those of a chosen
// kernel moved before the others.
class DiagnosisModel : public QAbstractListModel {
  Q_OBJECT

 public:
  enum Role { subject_role = Qt::UserRole, gain_role, severity_role, chosen_role };

  using QAbstractListModel::QAbstractListModel;

  void setAnalysis(const Analysis& analysis);
  void putFirst(std::optional<std::size_t> kernel);

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

  const DiagnosisText* at(int row) const;  // null outside
  std::optional<std::size_t> kernelAt(int row) const;

 private:
  struct Item {
    DiagnosisText text;
    Severity severity = Severity::info;
  };

  std::vector<Item> items_;
  std::vector<std::size_t> order_;
  std::optional<std::size_t> first_;
};

}  // namespace ridgepoint::gui
