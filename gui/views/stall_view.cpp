// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/stall_view.h"

#include <QScrollArea>
#include <QVBoxLayout>

#include "gui/models/display.h"
#include "gui/views/bar_chart.h"
#include "reports/presenters/labels.h"
#include "reports/presenters/stall_kinds.h"

namespace ridgepoint::gui {
namespace {

constexpr std::size_t most_kernels = 60;

}  // namespace

StallView::StallView(KernelSelection& selection, QWidget* parent)
    : AnalysisView(selection, parent), chart_(new BarChart(this)) {
  chart_->setObjectName(QStringLiteral("stallBars"));
  chart_->setAccessibleName(tr("Stall reasons by kernel"));
  auto* scroll = new QScrollArea(this);
  scroll->setWidgetResizable(true);
  scroll->setWidget(chart_);
  auto* card = new QFrame(this);
  card->setProperty("card", true);
  auto* inside = new QVBoxLayout(card);
  inside->setContentsMargins(1, 1, 1, 1);
  inside->addWidget(scroll);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(6, 4, 6, 6);
  layout->addWidget(card);
  connect(chart_, &BarChart::kernelClicked, this,
          [this](std::size_t kernel) { this->selection().select(kernel); });
}

void StallView::showAnalysis(const Analysis& analysis) {
  BarData bars;
  bars.maximum = 1;
  for (const StallKind kind : stall_kinds) {
    bars.legend.push_back({stallColour(theme(), kind), QString::fromUtf8(label(kind))});
  }
  for (std::size_t i = 0; i < analysis.kernels.size() && bars.rows.size() < most_kernels; ++i) {
    const KernelAnalysis& kernel = analysis.kernels[i];
    BarRow row;
    row.kernel = i;
    row.label = plain(kernel.short_name);
    row.tooltip = QStringLiteral("<b>%1</b><br>%2 samples")
                      .arg(rich(kernel.short_name))
                      .arg(kernel.stall_samples);
    row.value = kernel.stalls.empty()
                    ? tr("not sampled")
                    : tr("memory %1").arg(quantity(kernel.memory_stall_ratio, Unit::share));
    for (const StallShare& stall : by_kind(kernel.stalls)) {
      if (stall.share <= 0) {
        continue;
      }
      const QString share = quantity(stall.share, Unit::share);
      row.segments.push_back(
          {stall.share, stallColour(theme(), stall_kind(stall)), share,
           QStringLiteral("<b>%1</b>: %2 of the samples of %3%4<br>%5")
               .arg(rich(stall_label(stall.reason)), share, rich(kernel.short_name),
                    stall.memory ? tr("; counts as memory stall") : QString(),
                    rich(stall_explanation(stall.reason)))});
    }
    bars.rows.push_back(std::move(row));
  }
  chart_->setData(std::move(bars));
}

void StallView::showSelection() {
  chart_->setSelected(selection().current());
}

void StallView::showTheme() {
  showAnalysis(*analysis());
}

}  // namespace ridgepoint::gui
