// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/roofline/roofline_view.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/models/display.h"
#include "gui/roofline/marker.h"
#include "gui/roofline/roofline_chart.h"

namespace ridgepoint::gui {
namespace {

constexpr std::size_t most_listed = 4;
constexpr std::size_t most_described = 2;  // more would take the chart's place
// Of a variant or kernel, which come from the session. The view is at least as wide.
constexpr int widest_listed = 260;

QString toggleName(MemoryLevel level) {
  return QStringLiteral("level_%1").arg(QLatin1String(key(level)));
}

}  // namespace

RooflineView::RooflineView(KernelSelection& selection, QWidget* parent)
    : AnalysisView(selection, parent),
      chart_(new RooflineChart(this)),
      legend_(new QLabel(this)),
      below_(new QLabel(this)) {
  setObjectName(QStringLiteral("roofline"));
  legend_->setTextFormat(Qt::RichText);
  legend_->setObjectName(QStringLiteral("rooflineLegend"));
  legend_->setWordWrap(true);
  legend_->setMinimumWidth(widest_listed);
  below_->setTextFormat(Qt::RichText);
  below_->setWordWrap(true);
  below_->setMinimumWidth(widest_listed);
  below_->setObjectName(QStringLiteral("belowChart"));
  below_->setProperty("role", "muted");
  below_->setContentsMargins(14, 0, 14, 8);
  connect(below_, &QLabel::linkActivated, this,
          [this](const QString& link) { this->selection().select(link.toULongLong()); });

  auto* bar = new QHBoxLayout;
  bar->setContentsMargins(14, 10, 12, 0);
  bar->setSpacing(6);
  auto* title = new QLabel(tr("Roofline"), this);
  title->setProperty("role", "title");
  bar->addWidget(title);
  bar->addStretch(1);
  buildToggles(bar);

  auto* card = new QFrame(this);
  card->setProperty("card", true);
  auto* inside = new QVBoxLayout(card);
  inside->setContentsMargins(1, 1, 1, 1);
  inside->setSpacing(2);
  inside->addLayout(bar);
  // Below the buttons: beside them, many or long names would widen the window.
  legend_->setContentsMargins(14, 0, 14, 0);
  inside->addWidget(legend_);
  inside->addWidget(chart_, 1);
  inside->addWidget(below_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(card);
  connect(chart_, &RooflineChart::kernelClicked, this,
          [this](std::optional<std::size_t> kernel) { this->selection().select(kernel); });
}

void RooflineView::buildToggles(QHBoxLayout* bar) {
  for (const MemoryLevel level : memory_levels) {
    auto* toggle = new QToolButton(this);
    toggle->setObjectName(toggleName(level));
    toggle->setText(QString::fromLatin1(label(level)));
    toggle->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    toggle->setCheckable(true);
    toggle->setChecked(true);
    toggle->setFocusPolicy(Qt::StrongFocus);
    toggle->setToolTip(tr("Show the roof and the marks of this memory level"));
    connect(toggle, &QToolButton::toggled, this,
            [this, level](bool on) { chart_->setLevelVisible(level, on); });
    bar->addWidget(toggle);
  }
  auto* measured = new QToolButton(this);
  measured->setObjectName(QStringLiteral("measuredRoofs"));
  measured->setText(tr("Measured roofs"));
  measured->setCheckable(true);
  measured->setChecked(true);
  measured->setFocusPolicy(Qt::StrongFocus);
  measured->setToolTip(tr("Dashed: what micro-benchmarks reached on this device"));
  connect(measured, &QToolButton::toggled, chart_, &RooflineChart::setMeasuredRoofsVisible);
  bar->addWidget(measured);
  auto* reset = new QToolButton(this);
  reset->setObjectName(QStringLiteral("resetZoom"));
  reset->setText(tr("Reset zoom"));
  reset->setFocusPolicy(Qt::StrongFocus);
  reset->setToolTip(tr("Wheel zooms, drag pans, Shift and drag zooms to a rectangle, 0 resets"));
  connect(reset, &QToolButton::clicked, chart_, &RooflineChart::resetZoom);
  bar->addWidget(reset);
  refreshIcons();
}

void RooflineView::refreshIcons() {
  for (const MemoryLevel level : memory_levels) {
    if (auto* toggle = findChild<QToolButton*>(toggleName(level))) {
      toggle->setIcon(markerIcon(level, theme()));
    }
  }
}

void RooflineView::showAnalysis(const Analysis& analysis) {
  chart_->setTheme(theme(), analysis);
  chart_->setAnalysis(analysis);
  showLegend(analysis);
  showBelow();
  const std::vector<RooflineRoof>& roofs = chart_->scene().roofline.roofs;
  findChild<QToolButton*>(QStringLiteral("measuredRoofs"))
      ->setVisible(std::any_of(roofs.begin(), roofs.end(),
                               [](const RooflineRoof& r) { return r.measured; }));
}

void RooflineView::showLegend(const Analysis& analysis) {
  QStringList names;
  for (const VariantAnalysis& variant : analysis.variants) {
    names << plain(variant.name);
  }
  names = elidedApart(names, QFontMetricsF(legend_->font()), widest_listed - 30);
  QString text;
  for (std::size_t i = 0; i < analysis.variants.size(); ++i) {
    const VariantAnalysis& variant = analysis.variants[i];
    text += QStringLiteral("<span style='color:%1'>\u25cf</span> %2&nbsp;&nbsp; ")
                .arg(variantColour(theme(), variant.name, variantPosition(analysis, variant.name))
                         .name(),
                     names[static_cast<qsizetype>(i)].toHtmlEscaped().replace(
                         QLatin1Char(' '), QLatin1String("&nbsp;")));
  }
  legend_->setText(text);
  legend_->setVisible(!text.isEmpty());
}

void RooflineView::showBelow() {
  const std::vector<UnplottedKernel>& kernels = chart_->scene().roofline.unplotted;
  QStringList parts;
  const bool described = kernels.size() <= most_described;
  for (std::size_t i = 0; i < kernels.size() && i < most_listed; ++i) {
    parts << QStringLiteral("<a href='%1' style='color:%2; text-decoration:none'>%3</a>%4")
                 .arg(kernels[i].kernel)
                 .arg(theme().accent.name(),
                      QFontMetrics(below_->font())
                          .elidedText(plain(kernels[i].label), Qt::ElideMiddle, widest_listed)
                          .toHtmlEscaped(),
                      described ? QStringLiteral(" (%1)").arg(rich(kernels[i].line())) : QString());
  }
  if (kernels.size() > most_listed) {
    parts << tr("and %1 more, see the kernel table").arg(kernels.size() - most_listed);
  }
  const QString note = plain(chart_->scene().roofline.note).toHtmlEscaped();
  const QString listed = kernels.empty()
                             ? QString()
                             : tr("Not on the chart: %1").arg(parts.join(QStringLiteral(", ")));
  below_->setText(note + (note.isEmpty() || listed.isEmpty() ? QString() : QStringLiteral("<br>")) +
                  listed);
  below_->setVisible(!below_->text().isEmpty());
}

void RooflineView::showSelection() {
  const KernelAnalysis* kernel = selectedKernel();
  chart_->setSelected(kernel != nullptr ? selection().current() : std::nullopt, kernel);
}

void RooflineView::showTheme() {
  refreshIcons();
  chart_->setTheme(theme(), *analysis());
  showLegend(*analysis());
  showBelow();
}

}  // namespace ridgepoint::gui
