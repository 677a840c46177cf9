// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/timeline/timeline_canvas.h"

#include <QPainter>
#include <QResizeEvent>
#include <algorithm>

#include "gui/models/display.h"
#include "gui/theme/theme.h"

namespace ridgepoint::gui {
namespace {

constexpr double label_width = 176;
constexpr double right_margin = 16;
constexpr double axis_height = 26;
constexpr double lane_gap = 6;
constexpr double row_gap = 2;  // between rows of one stream or thread
constexpr double least_height = 3;
constexpr double least_name_width = 30;
constexpr float dimmed = 0.28F;
constexpr std::int64_t shortest_ns = 100;  // of a window: CUPTI's clock is no finer than 32

}  // namespace

TimelineCanvas::TimelineCanvas(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("timelineCanvas"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setBackgroundRole(QPalette::Base);
  setAccessibleName(tr("Timeline"));
}

const Timeline* TimelineCanvas::timeline() const {
  return analysis_ != nullptr ? analysis_->timeline.get() : nullptr;
}

void TimelineCanvas::setAnalysis(const Analysis* analysis) {
  analysis_ = analysis;
  tops_.clear();
  selected_.reset();
  double top = axis_height + 4;
  for (std::size_t i = 0; timeline() != nullptr && i < timeline()->lanes.size(); ++i) {
    top += i == 0 ? 0 : (timeline()->lanes[i].row > 0 ? row_gap : lane_gap);
    tops_.push_back(top);
    top += lane_height;
  }
  setCurrent(std::nullopt);
  refreshSelected();
  updateGeometry();
  fit();
}

void TimelineCanvas::setSelected(std::optional<std::size_t> kernel) {
  if (kernel != selected_) {
    selected_ = kernel;
    refreshSelected();
    refresh();
  }
}

void TimelineCanvas::refreshSelected() {
  selected_spans_.assign(tops_.size(), {});
  for (std::size_t i = 0; selected_ && i < tops_.size(); ++i) {
    const TimelineLane& lane = timeline()->lanes[i];
    if (lane.kind == LaneKind::kernels) {
      std::copy_if(lane.spans.begin(), lane.spans.end(), std::back_inserter(selected_spans_[i]),
                   [&](const TimelineSpan& one) { return one.item == *selected_; });
    }
  }
}

void TimelineCanvas::refresh() {
  marks_.clear();
  tick_marks_.clear();
  selected_marks_.clear();
  for (std::size_t i = 0; i < tops_.size(); ++i) {
    marks_.push_back(lane_picture(timeline()->lanes[i].spans, window_, columns()));
    tick_marks_.push_back(tick_picture(timeline()->lanes[i].ticks, window_, columns()));
    selected_marks_.push_back(lane_picture(selected_spans_[i], window_, columns()));
  }
  update();
}

double TimelineCanvas::plotWidth() const {
  return std::max(20.0, width() - label_width - right_margin);
}

double TimelineCanvas::xOf(std::int64_t time_ns) const {
  return label_width + plotWidth() * static_cast<double>(time_ns - window_.from_ns) /
                           static_cast<double>(window_.to_ns - window_.from_ns);
}

std::int64_t TimelineCanvas::timeAt(double x) const {
  return window_.from_ns +
         static_cast<std::int64_t>((x - label_width) / plotWidth() *
                                   static_cast<double>(window_.to_ns - window_.from_ns));
}

std::size_t TimelineCanvas::columns() const {
  return static_cast<std::size_t>(plotWidth() / 2);
}

void TimelineCanvas::showWindow(TimeWindow window) {
  if (timeline() == nullptr) {
    return;
  }
  const std::int64_t whole = timeline()->duration_ns;
  const std::int64_t length =
      std::clamp(window.to_ns - window.from_ns, std::min(shortest_ns, whole), whole);
  window_.from_ns = std::clamp<std::int64_t>(window.from_ns, 0, whole - length);
  window_.to_ns = window_.from_ns + length;
  refresh();
}

void TimelineCanvas::fit() {
  if (timeline() == nullptr) {
    update();
    return;
  }
  showWindow(timeline()->whole());
}

void TimelineCanvas::zoom(double factor, double share) {
  const auto length = static_cast<double>(window_.to_ns - window_.from_ns);
  const double fixed = static_cast<double>(window_.from_ns) + length * share;
  const auto from = static_cast<std::int64_t>(fixed - length * factor * share);
  showWindow({from, from + std::max<std::int64_t>(1, static_cast<std::int64_t>(length * factor))});
}

void TimelineCanvas::pan(double share) {
  const auto by =
      static_cast<std::int64_t>(share * static_cast<double>(window_.to_ns - window_.from_ns));
  showWindow({window_.from_ns + by, window_.to_ns + by});
}

QSize TimelineCanvas::sizeHint() const {
  return {800, minimumSizeHint().height()};
}

QSize TimelineCanvas::minimumSizeHint() const {
  const double bottom = tops_.empty() ? 80 : tops_.back() + lane_height + 8;
  return {360, static_cast<int>(bottom)};
}

void TimelineCanvas::resizeEvent(QResizeEvent*) {
  refresh();
}

QRectF TimelineCanvas::spanRect(std::size_t lane, std::size_t index) const {
  const TimelineSpan& one = timeline()->lanes[lane].spans[index];
  const QRectF rect(xOf(one.start_ns), tops_[lane],
                    std::max(1.0, xOf(one.end_ns) - xOf(one.start_ns)), lane_height);
  return rect & QRectF(label_width, 0, plotWidth(), height());
}

void TimelineCanvas::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Theme& t = themeOf(palette());
  painter.fillRect(rect(), t.surface);
  if (timeline() == nullptr) {
    return;
  }
  painter.setRenderHint(QPainter::Antialiasing);
  for (std::size_t lane = 0; lane < tops_.size(); ++lane) {
    painter.fillRect(QRectF(label_width, tops_[lane], plotWidth(), lane_height), t.grid);
  }
  const std::vector<TimeTick> ticks =
      time_ticks(window_, static_cast<std::size_t>(plotWidth() / 110));
  paintGrid(painter, ticks);
  for (std::size_t lane = 0; lane < tops_.size(); ++lane) {
    paintLane(painter, lane);
  }
  // Where lanes are scrolled the axis stays in sight.
  paintAxis(painter, ticks, visibleRegion().boundingRect().top());
  if (hasFocus()) {
    painter.setPen(t.accent);
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
  }
}

void TimelineCanvas::paintGrid(QPainter& painter, const std::vector<TimeTick>& ticks) const {
  painter.setPen(themeOf(palette()).border);
  for (const TimeTick& tick : ticks) {
    painter.drawLine(QPointF(xOf(tick.time_ns), axis_height), QPointF(xOf(tick.time_ns), height()));
  }
}

void TimelineCanvas::paintAxis(QPainter& painter, const std::vector<TimeTick>& ticks,
                               double top) const {
  const Theme& t = themeOf(palette());
  painter.fillRect(QRectF(0, top, width(), axis_height), t.surface);
  painter.setPen(t.muted);
  for (const TimeTick& tick : ticks) {
    const double x = std::clamp(xOf(tick.time_ns), label_width + 20, width() - 50.0);
    painter.drawText(QRectF(x - 60, top, 120, axis_height), Qt::AlignCenter,
                     QString::fromStdString(tick.label));
  }
}

void TimelineCanvas::paintLane(QPainter& painter, std::size_t lane) const {
  const Theme& t = themeOf(palette());
  const TimelineLane& one = timeline()->lanes[lane];
  painter.setPen(t.text);
  const QRectF label(8, tops_[lane], label_width - 18, lane_height);
  const QString name = plain(lane_label(*analysis_, one));
  painter.drawText(label, Qt::AlignRight | Qt::AlignVCenter,
                   QFontMetricsF(font()).elidedText(name, Qt::ElideMiddle, label.width()));
  painter.save();
  painter.setClipRect(QRectF(label_width, tops_[lane] - 2, plotWidth(), lane_height + 4));
  const bool dims = selected_ && one.kind == LaneKind::kernels;
  paintMarks(painter, lane, marks_[lane], dims ? qreal{dimmed} : 1);
  paintMarks(painter, lane, selected_marks_[lane], 1);
  paintTicks(painter, lane);
  if (current_ && current_->lane == lane) {
    const TimelineSpan& at = span(*current_);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(t.text, 2));
    painter.drawRect(QRectF(xOf(at.start_ns), tops_[lane],
                            std::max(2.0, xOf(at.end_ns) - xOf(at.start_ns)), lane_height));
  }
  painter.restore();
}

void TimelineCanvas::paintMarks(QPainter& painter, std::size_t lane,
                                const std::vector<PictureMark>& marks, qreal opacity) const {
  const LaneKind kind = timeline()->lanes[lane].kind;
  const QFontMetricsF metrics(font());
  const double gap = 0.6;  // keeps neighbours of one kernel apart where there is room
  for (const PictureMark& mark : marks) {
    const double from = std::max(xOf(mark.start_ns), label_width);
    const double to = std::min(xOf(mark.end_ns), label_width + plotWidth());
    const double length = std::max(1.0, to - from);
    const double height = std::max(least_height, lane_height * mark.busy);
    QColor colour = paletteColour(themeOf(palette()), span_colour(*analysis_, kind, mark.item));
    const QRectF box(from, tops_[lane] + lane_height - height, length - (length > 4 ? gap : 0),
                     height);
    painter.setOpacity(opacity);
    painter.fillRect(box, colour);
    if (mark.count == 1 && length >= least_name_width && opacity == 1) {
      painter.setPen(textOn(colour));
      painter.drawText(box.adjusted(4, 0, -4, 0), Qt::AlignCenter,
                       metrics.elidedText(plain(span_name(*analysis_, kind, mark.item)),
                                          Qt::ElideRight, length - 8));
    }
  }
  painter.setOpacity(1);
}

void TimelineCanvas::paintTicks(QPainter& painter, std::size_t lane) const {
  const TimelineLane& one = timeline()->lanes[lane];
  for (const PictureMark& mark : tick_marks_[lane]) {
    QColor colour = paletteColour(themeOf(palette()), span_colour(*analysis_, one.kind, mark.item));
    colour.setAlphaF(selected_ && mark.item != *selected_ ? dimmed : 0.75F);
    painter.setPen(colour);
    const double x = xOf(mark.start_ns);
    painter.drawLine(QPointF(x, tops_[lane]), QPointF(x, tops_[lane] + lane_height));
  }
}

}  // namespace ridgepoint::gui
