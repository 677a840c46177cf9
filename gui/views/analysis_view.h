// SPDX-License-Identifier: GPL-3.0-or-later
// What a view of the workspace is: it shows an analysis, follows the selected kernel, and follows
// the theme. A new view is one class and one line in view_registry.cpp.
#pragma once

#include <QWidget>

#include "gui/models/analysis_ptr.h"
#include "gui/models/kernel_selection.h"
#include "gui/theme/theme.h"

namespace ridgepoint::gui {

class AnalysisView : public QWidget {
  Q_OBJECT

 public:
  AnalysisView(KernelSelection& selection, QWidget* parent);

  void setAnalysis(AnalysisPtr analysis);

 protected:
  // Called when another analysis arrived, never with a null one.
  virtual void showAnalysis(const Analysis& analysis) = 0;
  virtual void showSelection() {}
  // Colours changed; what was painted or rendered as rich text must be made anew.
  virtual void showTheme() {}

  const Analysis* analysis() const { return analysis_.get(); }
  KernelSelection& selection() const { return selection_; }
  // The selected kernel, when the analysis has it.
  const KernelAnalysis* selectedKernel() const;
  const Theme& theme() const { return themeOf(palette()); }
  void changeEvent(QEvent* event) override;

 private:
  KernelSelection& selection_;
  AnalysisPtr analysis_;
};

}  // namespace ridgepoint::gui
