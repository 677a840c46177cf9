// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "gui/views/analysis_view.h"

class QFrame;
class QHBoxLayout;
class QPushButton;

namespace ridgepoint::gui {

// The answer in one line: what was measured on what, and how the fused variant compares with the
// naive one; a link says how many further variants there are. Where the line is too long for the
// window, its last cards give way: the tables hold the same figures.
class SummaryHeader : public AnalysisView {
  Q_OBJECT

 public:
  SummaryHeader(KernelSelection& selection, QWidget* parent);

 signals:
  void issuesRequested();
  void variantsRequested();

 protected:
  void showAnalysis(const Analysis& analysis) override;
  void showTheme() override;
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void showAbout(const Analysis& analysis);
  QPushButton* othersLink(const Analysis& analysis, QWidget* parent);  // null when none is left out
  void showVariants(const Analysis& analysis, const VariantAnalysis& other);  // beside the first
  void showKernels(const Analysis& analysis);
  void addCard(QFrame* card);
  void fitCards();

  QHBoxLayout* layout_;
  QFrame* about_ = nullptr;
  std::vector<QFrame*> cards_;  // after about_, the most important first
};

}  // namespace ridgepoint::gui
