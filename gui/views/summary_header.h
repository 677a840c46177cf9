// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/views/analysis_view.h"

class QHBoxLayout;

namespace ridgepoint::gui {

// The answer in one line: what was measured on what, and how the fused variant compares with the
// naive one.
class SummaryHeader : public AnalysisView {
  Q_OBJECT

 public:
  SummaryHeader(KernelSelection& selection, QWidget* parent);

 signals:
  void issuesRequested();

 protected:
  void showAnalysis(const Analysis& analysis) override;
  void showTheme() override;

 private:
  QHBoxLayout* layout_;
};

}  // namespace ridgepoint::gui
