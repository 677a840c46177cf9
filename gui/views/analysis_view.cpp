// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/analysis_view.h"

#include <QEvent>

namespace ridgepoint::gui {

AnalysisView::AnalysisView(KernelSelection& selection, QWidget* parent)
    : QWidget(parent), selection_(selection) {
  connect(&selection_, &KernelSelection::changed, this, [this] {
    if (analysis_) {
      showSelection();
    }
  });
}

void AnalysisView::setAnalysis(AnalysisPtr analysis) {
  analysis_ = std::move(analysis);
  if (analysis_) {
    showAnalysis(*analysis_);
    showSelection();
  }
}

const KernelAnalysis* AnalysisView::selectedKernel() const {
  const std::optional<std::size_t> current = selection_.current();
  if (!analysis_ || !current || *current >= analysis_->kernels.size()) {
    return nullptr;
  }
  return &analysis_->kernels[*current];
}

void AnalysisView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && analysis_) {
    // Later: Qt is walking through the widgets to restyle them, and showTheme() may replace some.
    QMetaObject::invokeMethod(
        this, [this] { showTheme(); }, Qt::QueuedConnection);
  }
}

}  // namespace ridgepoint::gui
