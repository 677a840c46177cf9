// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/stall_view.h"

#include <QScrollArea>
#include <QVBoxLayout>

#include "gui/models/display.h"
#include "gui/views/bar_chart.h"
#include "reports/presenters/labels.h"
#include "reports/presenters/stall_kinds.h"
#include "reports/presenters/tables.h"

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

BarRow StallView::bar(std::size_t kernel, const std::string& name, std::int64_t samples,
                      const std::optional<double>& memory,
                      const std::vector<StallShare>& stalls) const {
  BarRow row;
  row.kernel = kernel;
  row.label = plain(name);
  row.tooltip = QStringLiteral("<b>%1</b><br>%2 samples").arg(rich(name)).arg(samples);
  row.value =
      stalls.empty() ? tr("not sampled") : tr("memory %1").arg(quantity(memory, Unit::share));
  for (const StallShare& stall : by_kind(stalls)) {
    if (stall.share <= 0) {
      continue;
    }
    const QString share = quantity(stall.share, Unit::share);
    row.segments.push_back({stall.share, stallColour(theme(), stall_kind(stall)), share,
                            QStringLiteral("<b>%1</b>: %2 of the samples of %3%4<br>%5")
                                .arg(rich(stall_label(stall.reason)), share, rich(name),
                                     stall.memory ? tr("; counts as memory stall") : QString(),
                                     rich(stall_explanation(stall.reason)))});
  }
  return row;
}

void StallView::showAnalysis(const Analysis& analysis) {
  BarData bars;
  bars.maximum = 1;
  for (const StallKind kind : stall_kinds) {
    bars.legend.push_back({stallColour(theme(), kind), QString::fromUtf8(label(kind))});
  }
  for (std::size_t i = 0; i < analysis.kernels.size() && bars.rows.size() < most_kernels; ++i) {
    const KernelAnalysis& kernel = analysis.kernels[i];
    bars.rows.push_back(
        bar(i, kernel.short_name, kernel.stall_samples, kernel.memory_stall_ratio, kernel.stalls));
    for (const DeviceStalls& one : kernel.stalls_by_device) {
      bars.rows.push_back(bar(i, on_device(kernel.short_name, one.device), one.samples,
                              one.memory_stall_ratio, one.stalls));
    }
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
