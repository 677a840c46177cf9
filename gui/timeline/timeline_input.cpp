// SPDX-License-Identifier: GPL-3.0-or-later
// What pointer and keyboard do to a TimelineCanvas.
#include <QApplication>
#include <QClipboard>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "gui/models/display.h"
#include "gui/timeline/timeline_canvas.h"
#include "reports/presenters/timeline.h"

namespace ridgepoint::gui {
namespace {

constexpr double zoom_step = 0.8;
constexpr double pan_step = 0.15;
constexpr double pointer_slack = 3;  // pixels

}  // namespace

const TimelineSpan& TimelineCanvas::span(const Spot& spot) const {
  const TimelineLane& lane = timeline()->lanes[spot.lane];
  return spot.tick ? lane.ticks[spot.index] : lane.spans[spot.index];
}

std::optional<TimelineCanvas::Spot> TimelineCanvas::spotAt(const QPointF& position) const {
  if (timeline() == nullptr || position.x() < xOf(window_.from_ns)) {
    return std::nullopt;
  }
  const std::int64_t time = timeAt(position.x());
  const std::int64_t slack = std::max<std::int64_t>(0, timeAt(position.x() + pointer_slack) - time);
  for (std::size_t lane = 0; lane < tops_.size(); ++lane) {
    if (position.y() < tops_[lane] || position.y() > tops_[lane] + lane_height) {
      continue;
    }
    if (const auto found = span_at(timeline()->lanes[lane].spans, time, slack)) {
      return Spot{lane, *found, false};
    }
    if (const auto found = span_at(timeline()->lanes[lane].ticks, time, slack)) {
      return Spot{lane, *found, true};
    }
  }
  return std::nullopt;
}

QString TimelineCanvas::currentText() const {
  if (!current_) {
    return {};
  }
  QStringList lines;
  for (const std::string& line :
       span_lines(*analysis_, timeline()->lanes[current_->lane], span(*current_), current_->tick)) {
    lines << plain(line);
  }
  return lines.join(QStringLiteral(" \u00b7 "));
}

void TimelineCanvas::setCurrent(std::optional<Spot> spot) {
  current_ = spot;
  const QString text = currentText();
  setAccessibleDescription(text);
  emit currentChanged(text);
  update();
}

void TimelineCanvas::reveal(const Spot& spot) {
  const TimelineSpan& one = span(spot);
  if (one.start_ns < window_.from_ns || one.end_ns > window_.to_ns) {
    const std::int64_t half = (window_.to_ns - window_.from_ns) / 2;
    const std::int64_t middle = one.start_ns + (one.end_ns - one.start_ns) / 2;
    showWindow({middle - half, middle + half});
  }
}

// Along the spans of a lane, or where it has none along its ticks.
void TimelineCanvas::step(int direction) {
  if (timeline() == nullptr || timeline()->lanes.empty()) {
    return;
  }
  Spot spot = current_.value_or(Spot());
  const TimelineLane& lane = timeline()->lanes[spot.lane];
  spot.tick = current_ ? current_->tick : lane.spans.empty();
  const std::size_t count = spot.tick ? lane.ticks.size() : lane.spans.size();
  if (count == 0) {
    return;
  }
  if (!current_) {
    // The first that is in sight.
    const auto& list = spot.tick ? lane.ticks : lane.spans;
    const auto at = std::find_if(list.begin(), list.end(), [&](const TimelineSpan& one) {
      return one.end_ns >= window_.from_ns;
    });
    spot.index = std::min(count - 1, static_cast<std::size_t>(at - list.begin()));
  } else if (direction > 0) {
    spot.index = std::min(count - 1, spot.index + 1);
  } else {
    spot.index -= spot.index > 0 ? 1 : 0;
  }
  reveal(spot);
  setCurrent(spot);
}

void TimelineCanvas::changeLane(int direction) {
  if (!current_) {
    step(1);
    return;
  }
  const std::int64_t time = span(*current_).start_ns;
  for (auto lane = static_cast<std::ptrdiff_t>(current_->lane) + direction;
       lane >= 0 && lane < static_cast<std::ptrdiff_t>(tops_.size()); lane += direction) {
    const auto place = static_cast<std::size_t>(lane);
    const TimelineLane& one = timeline()->lanes[place];
    const bool tick = one.spans.empty();
    const std::int64_t anywhere = timeline()->duration_ns;
    if (const auto found = span_at(tick ? one.ticks : one.spans, time, anywhere)) {
      const Spot spot{place, *found, tick};
      reveal(spot);
      setCurrent(spot);
      return;
    }
  }
}

void TimelineCanvas::click(const Spot& spot) {
  setCurrent(spot);
  if (timeline()->lanes[spot.lane].kind == LaneKind::kernels) {
    emit kernelClicked(span(spot).item);
  }
}

bool TimelineCanvas::moveKey(int key, Qt::KeyboardModifiers modifiers) {
  const bool steps = (modifiers & Qt::ControlModifier) != 0;
  switch (key) {
    case Qt::Key_Left:
      steps ? step(-1) : pan(-pan_step);
      return true;
    case Qt::Key_Right:
      steps ? step(1) : pan(pan_step);
      return true;
    case Qt::Key_Up:
      changeLane(-1);
      return true;
    case Qt::Key_Down:
      changeLane(1);
      return true;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      zoom(zoom_step);
      return true;
    case Qt::Key_Minus:
      zoom(1 / zoom_step);
      return true;
    case Qt::Key_F:
    case Qt::Key_Home:
      fit();
      return true;
    default:
      return false;
  }
}

void TimelineCanvas::keyPressEvent(QKeyEvent* event) {
  if (timeline() == nullptr) {
    QWidget::keyPressEvent(event);
  } else if (event->matches(QKeySequence::Copy)) {
    if (current_) {
      QApplication::clipboard()->setText(currentText());
    }
  } else if (event->key() == Qt::Key_Escape && current_) {
    setCurrent(std::nullopt);
  } else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && current_) {
    click(*current_);
  } else if (!moveKey(event->key(), event->modifiers())) {
    QWidget::keyPressEvent(event);
  }
}

// Shift leaves the wheel to the scroll area, for more lanes than there is room for.
void TimelineCanvas::wheelEvent(QWheelEvent* event) {
  if (timeline() == nullptr || (event->modifiers() & Qt::ShiftModifier) != 0) {
    QWidget::wheelEvent(event);
    return;
  }
  const QPoint turned = event->angleDelta();
  if (turned.x() != 0 && std::abs(turned.x()) > std::abs(turned.y())) {
    pan(-turned.x() / 120.0 * pan_step);
  } else {
    const double share = (event->position().x() - xOf(window_.from_ns)) / plotWidth();
    zoom(std::pow(zoom_step, turned.y() / 120.0), std::clamp(share, 0.0, 1.0));
  }
  event->accept();
}

void TimelineCanvas::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || timeline() == nullptr) {
    QWidget::mousePressEvent(event);
    return;
  }
  pressed_ = true;
  dragged_ = false;
  pressed_at_ = event->position();
  pressed_window_ = window_;
}

void TimelineCanvas::mouseMoveEvent(QMouseEvent* event) {
  if (!pressed_) {
    setCurrent(spotAt(event->position()));
    return;
  }
  const double moved = event->position().x() - pressed_at_.x();
  dragged_ = dragged_ || std::abs(moved) >= QApplication::startDragDistance();
  if (dragged_) {
    const auto by = static_cast<std::int64_t>(
        -moved / plotWidth() *
        static_cast<double>(pressed_window_.to_ns - pressed_window_.from_ns));
    showWindow({pressed_window_.from_ns + by, pressed_window_.to_ns + by});
  }
}

void TimelineCanvas::mouseReleaseEvent(QMouseEvent* event) {
  if (!pressed_) {
    QWidget::mouseReleaseEvent(event);
    return;
  }
  pressed_ = false;
  if (const auto spot = spotAt(event->position()); spot && !dragged_) {
    click(*spot);
  }
}

void TimelineCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
  if (const auto spot = spotAt(event->position())) {
    const TimelineSpan& one = span(*spot);
    const std::int64_t room = std::max<std::int64_t>(50, (one.end_ns - one.start_ns) / 10);
    showWindow({one.start_ns - room, one.end_ns + room});
  }
}

void TimelineCanvas::leaveEvent(QEvent* event) {
  if (!hasFocus()) {
    setCurrent(std::nullopt);
  }
  QWidget::leaveEvent(event);
}

bool TimelineCanvas::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) {
    return QWidget::event(event);
  }
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto spot = spotAt(help->pos());
  if (!spot) {
    QToolTip::hideText();
    return true;
  }
  QStringList lines;
  for (const std::string& line :
       span_lines(*analysis_, timeline()->lanes[spot->lane], span(*spot), spot->tick)) {
    lines << (lines.isEmpty() ? QStringLiteral("<b>%1</b>").arg(rich(line)) : rich(line));
  }
  QToolTip::showText(help->globalPos(), lines.join(QStringLiteral("<br>")), this);
  return true;
}

}  // namespace ridgepoint::gui
