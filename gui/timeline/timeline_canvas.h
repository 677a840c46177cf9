// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes of spans over a time axis. Wheel and + - zoom, dragging and the arrow keys move, F or Home
// shows all; Up and Down choose a lane, Ctrl+Left and Ctrl+Right the span in it, Enter its kernel.
// What is drawn is bounded by the width, whatever the number of launches (analyzer/timeline).
#pragma once

#include <QString>
#include <QWidget>
#include <cstddef>
#include <optional>
#include <vector>

#include "analyzer/timeline/picture.h"
#include "gui/models/analysis_ptr.h"
#include "reports/presenters/timeline.h"

namespace ridgepoint::gui {

class TimelineCanvas : public QWidget {
  Q_OBJECT

 public:
  explicit TimelineCanvas(QWidget* parent);

  // Null, or without a timeline: nothing is drawn.
  void setAnalysis(const Analysis* analysis);
  void setSelected(std::optional<std::size_t> kernel);

  TimeWindow shownWindow() const { return window_; }
  void showWindow(TimeWindow window);
  void fit();
  // `factor` below 1 shows less time; the moment at `share` of the width stays where it is.
  void zoom(double factor, double share = 0.5);
  void pan(double share);

  // Where a span lies, cut to what is shown; for tests. Empty where it is not shown.
  QRectF spanRect(std::size_t lane, std::size_t span) const;
  // What the pointer or the keyboard is at, in one line; empty for nothing.
  QString currentText() const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  void kernelClicked(std::size_t kernel);
  void currentChanged(const QString& text);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  static constexpr double lane_height = 24;
  struct Spot {
    std::size_t lane = 0;
    std::size_t index = 0;  // of a span, or of a tick
    bool tick = false;
  };
  const Timeline* timeline() const;
  const TimelineSpan& span(const Spot& spot) const;
  double plotWidth() const;
  double xOf(std::int64_t time_ns) const;
  std::int64_t timeAt(double x) const;
  std::size_t columns() const;
  void refresh();
  void refreshSelected();
  std::optional<Spot> spotAt(const QPointF& position) const;
  void setCurrent(std::optional<Spot> spot);
  void step(int direction);
  void changeLane(int direction);
  void reveal(const Spot& spot);
  void click(const Spot& spot);
  bool moveKey(int key, Qt::KeyboardModifiers modifiers);
  void paintLane(QPainter& painter, std::size_t lane) const;
  void paintMarks(QPainter& painter, std::size_t lane, const std::vector<PictureMark>& marks,
                  qreal opacity) const;
  void paintTicks(QPainter& painter, std::size_t lane) const;
  void paintAxis(QPainter& painter, const std::vector<TimeTick>& ticks, double top) const;
  void paintGrid(QPainter& painter, const std::vector<TimeTick>& ticks) const;

  const Analysis* analysis_ = nullptr;
  TimeWindow window_;
  std::vector<double> tops_;                     // of the lanes
  std::vector<std::vector<PictureMark>> marks_;  // of each lane, in the window, as the next
  std::vector<std::vector<PictureMark>> tick_marks_;
  // The spans of the selected kernel, which those beside them must not hide.
  std::vector<std::vector<TimelineSpan>> selected_spans_;
  std::vector<std::vector<PictureMark>> selected_marks_;
  std::optional<std::size_t> selected_;
  std::optional<Spot> current_;
  QPointF pressed_at_;
  TimeWindow pressed_window_;
  bool pressed_ = false;
  bool dragged_ = false;
};

}  // namespace ridgepoint::gui
