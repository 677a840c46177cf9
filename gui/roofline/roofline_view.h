// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/views/analysis_view.h"

class QHBoxLayout;
class QLabel;

namespace ridgepoint::gui {

class RooflineChart;

// The chart with what belongs to it: level toggles, the legend of variants, and the list of kernels
// that have no place on it.
class RooflineView : public AnalysisView {
  Q_OBJECT

 public:
  RooflineView(KernelSelection& selection, QWidget* parent);

  RooflineChart& chart() { return *chart_; }

 protected:
  void showAnalysis(const Analysis& analysis) override;
  void showSelection() override;
  void showTheme() override;

 private:
  void buildToggles(QHBoxLayout* bar);
  void showLegend(const Analysis& analysis);
  void showBelow();
  void refreshIcons();

  RooflineChart* chart_;
  QLabel* legend_;
  QLabel* below_;
};

}  // namespace ridgepoint::gui
