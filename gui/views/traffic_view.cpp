// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/traffic_view.h"

#include <QCheckBox>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "gui/models/display.h"
#include "gui/views/bar_chart.h"
#include "reports/presenters/reductions.h"

namespace ridgepoint::gui {
namespace {

// Profiles may hold thousands of kernels; the longest ones are what a bar chart can show.
constexpr std::size_t most_kernels = 30;

QString valueText(const std::optional<double>& measured, const std::optional<double>& predicted) {
  QString text = quantity(measured, Unit::byte);
  if (measured && predicted && *predicted > 0) {
    text += QStringLiteral(" (%1)").arg(quantity(*measured / *predicted, Unit::factor));
  } else if (predicted) {
    text += QStringLiteral(", predicted %1").arg(quantity(predicted, Unit::byte));
  }
  return text;
}

QString tooltip(const QString& name, MemoryLevel level, const Traffic& t,
                const LevelPrediction* prediction) {
  QString text = QStringLiteral("<b>%1</b>, %2<br>measured: %3")
                     .arg(name.toHtmlEscaped(), QString::fromLatin1(label(level)),
                          quantity(t.total, Unit::byte));
  if (t.read || t.write) {
    text += QStringLiteral("<br>read %1, written %2")
                .arg(quantity(t.read, Unit::byte), quantity(t.write, Unit::byte));
  }
  if (const auto reductions = reduction_bytes(t); level == MemoryLevel::l2 && reductions) {
    text += QStringLiteral("<br>reductions and atomics %1").arg(quantity(reductions, Unit::byte));
  }
  if (t.requested) {
    text +=
        QStringLiteral("<br>asked for by instructions: %1").arg(quantity(t.requested, Unit::byte));
  }
  if (prediction != nullptr && prediction->predicted) {
    text += QStringLiteral("<br>predicted by the IO model: %1")
                .arg(quantity(prediction->predicted, Unit::byte));
    if (!prediction->formula.empty()) {
      text += QStringLiteral("<br><i>%1</i>").arg(rich(prediction->formula));
    }
  }
  return text;
}

BarRow makeRow(const QString& name, const QColor& colour, MemoryLevel level, const Traffic& traffic,
               const LevelPrediction* prediction) {
  BarRow row;
  row.label = name;
  row.tooltip = tooltip(name, level, traffic, prediction);
  if (traffic.total && *traffic.total > 0) {
    row.segments.push_back({*traffic.total, colour, {}, row.tooltip});
  }
  const std::optional<double> predicted =
      prediction != nullptr ? prediction->predicted : std::nullopt;
  row.marker = predicted;
  row.value = valueText(traffic.total, predicted);
  return row;
}

std::vector<BarRow> variantRows(const Theme& theme, const Analysis& analysis) {
  std::vector<BarRow> rows;
  for (const MemoryLevel level : memory_levels) {
    QString heading = QString::fromLatin1(label(level));
    for (const VariantAnalysis& variant : analysis.variants) {
      BarRow row =
          makeRow(plain(variant.name),
                  variantColour(theme, variant.name, variantPosition(analysis, variant.name)),
                  level, variant.traffic[level].measured, &variant.traffic[level]);
      row.heading = std::exchange(heading, QString());
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

std::vector<BarRow> kernelRows(const Theme& theme, const Analysis& analysis) {
  std::vector<std::size_t> longest(analysis.kernels.size());
  for (std::size_t i = 0; i < longest.size(); ++i) {
    longest[i] = i;
  }
  std::stable_sort(longest.begin(), longest.end(), [&](std::size_t a, std::size_t b) {
    return analysis.kernels[a].time_s.value_or(0.0) > analysis.kernels[b].time_s.value_or(0.0);
  });
  longest.resize(std::min(longest.size(), most_kernels));
  std::vector<BarRow> rows;
  for (const MemoryLevel level : memory_levels) {
    QString heading = QString::fromLatin1(label(level));
    for (const std::size_t i : longest) {
      const KernelAnalysis& kernel = analysis.kernels[i];
      BarRow row =
          makeRow(plain(kernel.short_name),
                  variantColour(theme, kernel.variant, variantPosition(analysis, kernel.variant)),
                  level, kernel.traffic[level], nullptr);
      row.heading = std::exchange(heading, QString());
      row.kernel = i;
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

}  // namespace

TrafficView::TrafficView(KernelSelection& selection, QWidget* parent)
    : AnalysisView(selection, parent),
      logarithmic_(new QCheckBox(tr("&Logarithmic scale"), this)),
      chart_(new BarChart(this)) {
  logarithmic_->setObjectName(QStringLiteral("logarithmic"));
  chart_->setObjectName(QStringLiteral("trafficBars"));
  chart_->setAccessibleName(tr("Traffic by memory level"));
  auto* scroll = new QScrollArea(this);
  scroll->setWidgetResizable(true);
  scroll->setWidget(chart_);
  auto* card = new QFrame(this);
  card->setProperty("card", true);
  auto* inside = new QVBoxLayout(card);
  inside->setContentsMargins(1, 6, 1, 1);
  inside->setSpacing(0);
  auto* top = new QHBoxLayout;
  top->setContentsMargins(11, 0, 11, 0);
  top->addStretch(1);
  top->addWidget(logarithmic_);
  inside->addLayout(top);
  inside->addWidget(scroll, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(6, 4, 6, 6);
  layout->addWidget(card);
  connect(logarithmic_, &QCheckBox::toggled, this, [this] {
    if (analysis() != nullptr) {
      showAnalysis(*analysis());
    }
  });
  connect(chart_, &BarChart::kernelClicked, this,
          [this](std::size_t kernel) { this->selection().select(kernel); });
}

void TrafficView::showAnalysis(const Analysis& analysis) {
  BarData bars;
  bars.rows =
      analysis.variants.empty() ? kernelRows(theme(), analysis) : variantRows(theme(), analysis);
  bool predicted = false;
  double smallest = 0;
  const auto include = [&](double value) {
    bars.maximum = std::max(bars.maximum, value);
    if (value > 0) {
      smallest = smallest == 0 ? value : std::min(smallest, value);
    }
  };
  for (const BarRow& row : bars.rows) {
    for (const BarSegment& segment : row.segments) {
      include(segment.value);
    }
    if (row.marker) {
      predicted = true;
      include(*row.marker);
    }
  }
  bars.logarithmic = logarithmic_->isChecked();
  // A decade below the smallest bar, so that it has a length too.
  bars.minimum = smallest > 0 ? std::pow(10.0, std::floor(std::log10(smallest)) - 1) : 1;
  if (predicted) {
    bars.legend.push_back({{}, tr("predicted by the IO model (measured / predicted)"), true});
  }
  chart_->setData(std::move(bars));
}

void TrafficView::showSelection() {
  chart_->setSelected(selection().current());
}

void TrafficView::showTheme() {
  showAnalysis(*analysis());
}

}  // namespace ridgepoint::gui
