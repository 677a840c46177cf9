// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/views/analysis_view.h"

namespace ridgepoint::gui {

class RichText;

// How it was measured: issues first, then device, policy and producer.
class SessionView : public AnalysisView {
  Q_OBJECT

 public:
  SessionView(KernelSelection& selection, QWidget* parent);

 protected:
  void showAnalysis(const Analysis& analysis) override;
  void showTheme() override;

 private:
  RichText* text_;
};

}  // namespace ridgepoint::gui
