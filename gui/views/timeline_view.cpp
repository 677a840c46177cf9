// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/timeline_view.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include "gui/models/display.h"
#include "gui/timeline/timeline_canvas.h"
#include "reports/presenters/activity.h"
#include "reports/presenters/timeline.h"

namespace ridgepoint::gui {
namespace {

QLabel* wrapping(const char* name, QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setObjectName(QString::fromLatin1(name));
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label->setContentsMargins(14, 0, 14, 0);
  // A long name must not widen the window.
  label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  return label;
}

QString hint() {
  return TimelineView::tr(
      "Wheel or + - zoom, drag or arrows move, F shows all. Up and Down choose a lane, Ctrl+Left "
      "and Ctrl+Right a span, Enter its kernel, Ctrl+C copies.");
}

}  // namespace

TimelineView::TimelineView(KernelSelection& selection, QWidget* parent)
    : AnalysisView(selection, parent),
      facts_(wrapping("timelineFacts", this)),
      legend_(wrapping("timelineLegend", this)),
      current_(wrapping("timelineCurrent", this)),
      busiest_(new QToolButton(this)),
      canvas_(new TimelineCanvas(this)) {
  auto* bar = new QHBoxLayout;
  bar->setContentsMargins(12, 8, 12, 0);
  const auto add = [&](QToolButton* button, const char* name, const QString& text,
                       const QString& tip, auto&& act) {
    button->setObjectName(QString::fromLatin1(name));
    button->setText(text);
    button->setToolTip(tip);
    button->setFocusPolicy(Qt::StrongFocus);
    connect(button, &QToolButton::clicked, this, act);
    bar->addWidget(button);
  };
  add(new QToolButton(this), "timelineFit", tr("Whole run"), tr("Show all of it (F)"),
      [this] { canvas_->fit(); });
  add(busiest_, "timelineBusiest", tr("Busiest stretch"), plain(busiest_title()), [this] {
    if (analysis() != nullptr && analysis()->timeline && analysis()->timeline->busiest) {
      canvas_->showWindow(*analysis()->timeline->busiest);
    }
  });
  add(new QToolButton(this), "timelineIn", tr("+"), tr("Zoom in"), [this] { canvas_->zoom(0.5); });
  add(new QToolButton(this), "timelineOut", tr("\u2212"), tr("Zoom out"),
      [this] { canvas_->zoom(2); });
  bar->addStretch();
  auto* scroll = new QScrollArea(this);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidget(canvas_);
  auto* card = new QFrame(this);
  card->setProperty("card", true);
  auto* inside = new QVBoxLayout(card);
  inside->setContentsMargins(1, 1, 1, 8);
  inside->addLayout(bar);
  inside->addWidget(facts_);
  inside->addWidget(legend_);
  inside->addWidget(scroll, 1);
  inside->addWidget(current_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(card);
  setFocusProxy(canvas_);
  connect(canvas_, &TimelineCanvas::kernelClicked, this,
          [this](std::size_t kernel) { this->selection().select(kernel); });
  connect(canvas_, &TimelineCanvas::currentChanged, this,
          [this](const QString& text) { current_->setText(text.isEmpty() ? hint() : text); });
}

void TimelineView::showAnalysis(const Analysis& analysis) {
  QStringList facts;
  for (const auto& [name, value] : activity_facts(analysis)) {
    facts << QStringLiteral("<b>%1</b> %2").arg(rich(name), rich(value));
  }
  facts_->setTextFormat(Qt::RichText);
  facts_->setText(
      analysis.timeline
          ? facts.join(QStringLiteral("<br>"))
          : tr("This session has no timeline: `ridgepoint profile -c none` takes one."));
  busiest_->setEnabled(analysis.timeline && analysis.timeline->busiest);
  canvas_->setAnalysis(&analysis);
  canvas_->setToolTip(QString());
  showLegend();
}

void TimelineView::showLegend() {
  QStringList entries;
  if (analysis() != nullptr && analysis()->timeline) {
    for (const TimelineLegend& entry : timeline_legend(*analysis())) {
      entries << QStringLiteral("<span style=\"color:%1\">\u25a0</span>&nbsp;%2")
                     .arg(paletteColour(theme(), entry.colour).name(), rich(entry.label));
    }
  }
  legend_->setTextFormat(Qt::RichText);
  legend_->setText(entries.join(QStringLiteral(" &nbsp; ")));
  legend_->setToolTip(analysis() != nullptr && analysis()->timeline
                          ? QStringLiteral("<p>%1</p>").arg(rich(timeline_caption(*analysis())))
                          : QString());
}

void TimelineView::showSelection() {
  canvas_->setSelected(selection().current());
}

void TimelineView::showTheme() {
  showLegend();
  canvas_->update();
}

}  // namespace ridgepoint::gui
