// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/views/analysis_view.h"

class QCheckBox;

namespace ridgepoint::gui {

class BarChart;

// Bytes that each variant moves through each memory level, measured, with the IO model's prediction
// marked on the bar. A profile without variants shows its kernels instead.
class TrafficView : public AnalysisView {
  Q_OBJECT

 public:
  TrafficView(KernelSelection& selection, QWidget* parent);

 protected:
  void showAnalysis(const Analysis& analysis) override;
  void showSelection() override;
  void showTheme() override;

 private:
  QCheckBox* logarithmic_;
  BarChart* chart_;
};

}  // namespace ridgepoint::gui
