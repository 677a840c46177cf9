// SPDX-License-Identifier: GPL-3.0-or-later
// The roofline on logarithmic axes. Qt Charts holds the axes' ranges and the roofs; the grid is
// painted below it (roofline_axes.h), as its own kept the spacing of an earlier size, and marks and
// labels over it (roofline_painter.h), since its points have one shape and no text of ours, and one
// non-positive point would blank a whole series.
//
// Mouse: click selects, wheel zooms at the pointer, drag pans, Shift and drag zooms to a rectangle.
// Keys: arrows walk through the kernels, + and - zoom, 0 or Home shows everything.
#pragma once

#include <QtCharts/QChartView>
#include <optional>

#include "gui/models/analysis_ptr.h"
#include "gui/roofline/roofline_painter.h"
#include "gui/roofline/roofline_scene.h"

class QLogValueAxis;

namespace ridgepoint::gui {

class RooflineChart : public QChartView {
  Q_OBJECT

 public:
  explicit RooflineChart(QWidget* parent);

  void setAnalysis(const Analysis& analysis);
  // The selected kernel, or null; must belong to the analysis and outlive the selection.
  void setSelected(std::optional<std::size_t> index, const KernelAnalysis* kernel);
  void setLevelVisible(MemoryLevel level, bool visible);
  void setMeasuredRoofsVisible(bool visible);
  void setTheme(const Theme& theme, const Analysis& analysis);

  const RooflineScene& scene() const { return scene_; }
  // Where a kernel's mark is in this widget; nothing when it is not drawn or off the plot.
  std::optional<QPoint> pointOf(std::size_t kernel, MemoryLevel level) const;

  // As they are painted; roofline_texts.h says how long they are kept.
  const RooflineTexts& texts();

  void zoom(double factor, const QPointF& fixed_pixel);
  void resetZoom();

 signals:
  void kernelClicked(std::optional<std::size_t> kernel);

 protected:
  void drawBackground(QPainter* painter, const QRectF& rect) override;
  void drawForeground(QPainter* painter, const QRectF& rect) override;
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  enum class Drag { none, pressed, pan, rectangle };

  void buildRoofs();
  void styleChart();
  void placeAgain();
  void setRanges(const LogRange& x, const LogRange& y);
  void hover(const QPoint& position, const QPoint& global);
  void selectNeighbour(int step);
  QString tooltipOf(const RooflinePoint& point) const;
  QString emptyReason() const;

  RooflineScene scene_;
  std::optional<RooflineTexts> texts_;
  const KernelAnalysis* selected_kernel_ = nullptr;
  Theme theme_;
  QLogValueAxis* x_axis_;
  QLogValueAxis* y_axis_;
  Drag drag_ = Drag::none;
  QPointF drag_from_;
  QPointF drag_at_;
};

}  // namespace ridgepoint::gui
