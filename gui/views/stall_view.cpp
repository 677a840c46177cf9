// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/stall_view.h"

#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <map>

#include "gui/models/display.h"
#include "gui/views/bar_chart.h"
#include "reports/presenters/labels.h"

namespace ridgepoint::gui {
namespace {

constexpr std::size_t most_kernels = 60;

struct Reason {
  std::string id;
  double total = 0;
  bool memory = false;
};

// Every reason of the analysis: memory reasons first, larger ones first, so that colours and order
// are the same in every bar.
std::vector<Reason> reasonsOf(const Analysis& analysis) {
  std::map<std::string, Reason> seen;
  for (const KernelAnalysis& kernel : analysis.kernels) {
    for (const StallShare& stall : kernel.stalls) {
      Reason& reason = seen[stall.reason];
      reason.id = stall.reason;
      reason.memory = stall.memory;
      reason.total += stall.share;
    }
  }
  std::vector<Reason> reasons;
  for (const auto& [id, reason] : seen) {
    reasons.push_back(reason);
  }
  std::stable_sort(reasons.begin(), reasons.end(), [](const Reason& a, const Reason& b) {
    return a.memory != b.memory ? a.memory : a.total > b.total;
  });
  return reasons;
}

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
  const std::vector<Reason> reasons = reasonsOf(analysis);
  std::map<std::string, QColor> colours;
  std::size_t memory_shade = 0;
  std::size_t other_shade = 0;
  BarData bars;
  bars.maximum = 1;
  for (const Reason& reason : reasons) {
    colours[reason.id] =
        stallColour(theme(), reason.memory, reason.memory ? memory_shade++ : other_shade++);
    bars.legend.push_back(
        {colours[reason.id], reason.memory ? tr("%1 (memory)").arg(plain(stall_label(reason.id)))
                                           : plain(stall_label(reason.id))});
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
    for (const Reason& reason : reasons) {
      const auto stall = std::find_if(kernel.stalls.begin(), kernel.stalls.end(),
                                      [&](const StallShare& s) { return s.reason == reason.id; });
      if (stall == kernel.stalls.end() || stall->share <= 0) {
        continue;
      }
      const QString share = quantity(stall->share, Unit::share);
      row.segments.push_back({stall->share, colours[reason.id], share,
                              QStringLiteral("<b>%1</b>: %2 of the samples of %3%4<br>%5")
                                  .arg(rich(stall_label(reason.id)), share, rich(kernel.short_name),
                                       reason.memory ? tr("; counts as memory stall") : QString(),
                                       rich(stall_explanation(reason.id)))});
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
