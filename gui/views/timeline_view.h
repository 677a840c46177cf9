// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/views/analysis_view.h"

class QLabel;
class QToolButton;

namespace ridgepoint::gui {

class TimelineCanvas;

// What ran when: kernels, copies and NVTX ranges, with the numbers of the run above and what the
// pointer or the keyboard is at below.
class TimelineView : public AnalysisView {
  Q_OBJECT

 public:
  TimelineView(KernelSelection& selection, QWidget* parent);

  TimelineCanvas& canvas() { return *canvas_; }

 protected:
  void showAnalysis(const Analysis& analysis) override;
  void showSelection() override;
  void showTheme() override;

 private:
  void showLegend();

  QLabel* facts_;
  QLabel* legend_;
  QLabel* current_;
  QToolButton* busiest_;
  TimelineCanvas* canvas_;
};

}  // namespace ridgepoint::gui
