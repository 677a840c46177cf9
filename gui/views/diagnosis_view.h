// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/views/analysis_view.h"

class QListView;

namespace ridgepoint::gui {

class DiagnosisModel;
class RichText;

// Why the kernels are where they are and what to change: the list above, the chosen one in full
// below. Selecting a kernel anywhere brings its diagnoses to the top; choosing a diagnosis selects
// its kernel.
class DiagnosisView : public AnalysisView {
  Q_OBJECT

 public:
  DiagnosisView(KernelSelection& selection, QWidget* parent);

 protected:
  void showAnalysis(const Analysis& analysis) override;
  void showSelection() override;
  void showTheme() override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void showDetail();

  DiagnosisModel* model_;
  QListView* list_;
  RichText* detail_;
  // The list reorders when the selection changes. While the choice comes from the list itself the
  // order stays, or the chosen row would jump away under the pointer.
  bool choosing_ = false;
  bool following_ = false;  // the list is being moved to the shared selection, not by the user
};

}  // namespace ridgepoint::gui
