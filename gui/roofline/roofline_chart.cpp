// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/roofline/roofline_chart.h"

#include <QApplication>
#include <QGraphicsLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QtCharts/QChart>
#include <QtCharts/QLineSeries>
#include <QtCharts/QLogValueAxis>
#include <algorithm>
#include <cmath>

#include "gui/models/display.h"
#include "gui/roofline/roofline_axes.h"

namespace ridgepoint::gui {
namespace {

constexpr double closest_decades = 0.5;  // zooming in further shows no tick
constexpr double wheel_step = 1.15;      // for one notch of 120

// The part of `whole` of that many decades around a centre; never beyond `whole`.
LogRange clamped(const LogRange& wanted, const LogRange& whole) {
  const double low = std::log10(whole.minimum);
  const double high = std::log10(whole.maximum);
  const double length =
      std::clamp(wanted.decades(), std::min(closest_decades, high - low), high - low);
  const double centre = (std::log10(wanted.minimum) + std::log10(wanted.maximum)) / 2;
  const double from = std::clamp(centre - length / 2, low, high - length);
  return {std::pow(10.0, from), std::pow(10.0, from + length)};
}

LogRange wholeOf(const RooflineAxis& axis) {
  return {axis.minimum, axis.maximum};
}

}  // namespace

RooflineChart::RooflineChart(QWidget* parent)
    : QChartView(parent),
      theme_(themeOf(palette())),
      x_axis_(new QLogValueAxis(this)),
      y_axis_(new QLogValueAxis(this)) {
  setObjectName(QStringLiteral("rooflineChart"));
  setAccessibleName(tr("Roofline chart"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  viewport()->setAcceptDrops(false);  // a file dropped here is the window's
  setRenderHint(QPainter::Antialiasing);
  setFrameShape(QFrame::NoFrame);
  setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
  setMinimumSize(360, 260);
  chart()->legend()->hide();
  chart()->setMargins({});
  chart()->layout()->setContentsMargins(0, 0, 0, 0);
  chart()->setBackgroundRoundness(0);
  for (QLogValueAxis* axis : {x_axis_, y_axis_}) {
    axis->setBase(10);
    axis->setLabelsVisible(false);  // painted with SI prefixes instead
    axis->setLineVisible(false);    // axis lines and grid are painted from the scene
    axis->setGridLineVisible(false);
    chart()->addAxis(axis, axis == x_axis_ ? Qt::AlignBottom : Qt::AlignLeft);
  }
  styleChart();
}

void RooflineChart::setAnalysis(const Analysis& analysis) {
  scene_.roofline = roofline(analysis);
  scene_.kernel_colours = kernelColours(theme_, analysis);
  scene_.selected.reset();
  scene_.hovered.reset();
  selected_kernel_ = nullptr;
  buildRoofs();
  resetZoom();
  setAccessibleDescription(tr("%1 marks, %2 kernels that cannot be placed")
                               .arg(scene_.roofline.points.size())
                               .arg(scene_.roofline.unplotted.size()));
}

void RooflineChart::setSelected(std::optional<std::size_t> index, const KernelAnalysis* kernel) {
  scene_.selected = index;
  selected_kernel_ = kernel;
  placeAgain();
}

void RooflineChart::setLevelVisible(MemoryLevel level, bool visible) {
  scene_.level_visible[static_cast<std::size_t>(level)] = visible;
  buildRoofs();
}

void RooflineChart::setMeasuredRoofsVisible(bool visible) {
  scene_.measured_roofs = visible;
  buildRoofs();
}

void RooflineChart::setTheme(const Theme& theme, const Analysis& analysis) {
  theme_ = theme;
  scene_.kernel_colours = kernelColours(theme, analysis);
  styleChart();
  buildRoofs();
}

void RooflineChart::styleChart() {
  chart()->setBackgroundVisible(false);  // or it would cover the grid
  chart()->setPlotAreaBackgroundVisible(false);
  setBackgroundBrush(theme_.surface);
}

void RooflineChart::buildRoofs() {
  chart()->removeAllSeries();
  for (const RooflineRoof& roof : scene_.roofline.roofs) {
    // The logarithmic axes accept positive points only.
    if (!scene_.visible(roof) || roof.x0 <= 0 || roof.y0 <= 0) {
      continue;
    }
    auto* line = new QLineSeries;
    line->append(roof.x0, roof.y0);
    line->append(roof.x1, roof.y1);
    line->setPen(roofPen(theme_, roof.measured));
    chart()->addSeries(line);
    line->attachAxis(x_axis_);
    line->attachAxis(y_axis_);
  }
  placeAgain();
}

void RooflineChart::setRanges(const LogRange& x, const LogRange& y) {
  scene_.x = clamped(x, wholeOf(scene_.roofline.x));
  scene_.y = clamped(y, wholeOf(scene_.roofline.y));
  x_axis_->setRange(scene_.x.minimum, scene_.x.maximum);
  y_axis_->setRange(scene_.y.minimum, scene_.y.maximum);
  placeAgain();
}

void RooflineChart::placeAgain() {
  texts_.reset();
  viewport()->update();
}

const RooflineTexts& RooflineChart::texts() {
  if (!texts_) {
    texts_ = placeRooflineTexts(scene_, font(), selected_kernel_);
  }
  return *texts_;
}

void RooflineChart::resetZoom() {
  setRanges(wholeOf(scene_.roofline.x), wholeOf(scene_.roofline.y));
}

void RooflineChart::zoom(double factor, const QPointF& fixed_pixel) {
  const double fx = (fixed_pixel.x() - scene_.plot.left()) / scene_.plot.width();
  const double fy = (scene_.plot.bottom() - fixed_pixel.y()) / scene_.plot.height();
  const auto scaled = [factor](const LogRange& range, double fixed) {
    return LogRange{range.value(fixed - fixed / factor), range.value(fixed + (1 - fixed) / factor)};
  };
  setRanges(scaled(scene_.x, fx), scaled(scene_.y, fy));
}

std::optional<QPoint> RooflineChart::pointOf(std::size_t kernel, MemoryLevel level) const {
  for (const RooflinePoint& point : scene_.roofline.points) {
    if (point.kernel == kernel && point.level == level && scene_.drawn(point)) {
      const QPointF pixel = scene_.toPixel(point.intensity, point.flop_per_s);
      if (scene_.plot.contains(pixel)) {
        return pixel.toPoint();
      }
    }
  }
  return std::nullopt;
}

void RooflineChart::changeEvent(QEvent* event) {
  QChartView::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
    placeAgain();
  }
}

void RooflineChart::resizeEvent(QResizeEvent* event) {
  QChartView::resizeEvent(event);
  // Room for the tick labels and axis titles, which are painted by hand.
  const QFontMetrics metrics(font());
  scene_.plot = QRectF(viewport()->rect()).adjusted(84, 12, -16, -(2 * metrics.height() + 16));
  chart()->setPlotArea(scene_.plot);
  placeAgain();
}

QString RooflineChart::emptyReason() const {
  if (scene_.roofline.points.empty()) {
    return scene_.roofline.unplotted.empty()
               ? tr("This session holds no kernel")
               : tr("No kernel can be placed: %1")
                     .arg(plain(scene_.roofline.unplotted.front().reason));
  }
  const auto& shown = scene_.level_visible;
  return std::none_of(shown.begin(), shown.end(), [](bool on) { return on; }) && !scene_.selected
             ? tr("Choose a memory level above")
             : QString();
}

void RooflineChart::drawBackground(QPainter* painter, const QRectF& rect) {
  QChartView::drawBackground(painter, rect);
  paintGrid(*painter, scene_, theme_);
}

void RooflineChart::drawForeground(QPainter* painter, const QRectF&) {
  painter->save();
  // QGraphicsView paints in scene coordinates; they are the viewport's, as the chart fills it.
  paintRoofline(*painter, scene_, texts(), theme_, font());
  if (const QString reason = emptyReason(); !reason.isEmpty()) {
    painter->setPen(theme_.muted);
    painter->setFont(font());
    painter->drawText(scene_.plot, Qt::AlignCenter, reason);
  }
  if (drag_ == Drag::rectangle) {
    QColor tint = theme_.accent;
    painter->setPen(QPen(tint, 1));
    tint.setAlphaF(0.15F);
    painter->setBrush(tint);
    painter->drawRect(QRectF(drag_from_, drag_at_).normalized());
  }
  painter->restore();
}

QString RooflineChart::tooltipOf(const RooflinePoint& point) const {
  QString text;
  for (std::size_t i = 0; i < point.tooltip.size(); ++i) {
    const QString line = rich(point.tooltip[i]);
    text += i == 0 ? QStringLiteral("<b>%1</b>").arg(line) : QStringLiteral("<br>") + line;
  }
  return QStringLiteral("<div style='white-space:nowrap'>%1</div>").arg(text);
}

void RooflineChart::hover(const QPoint& position, const QPoint& global) {
  const std::optional<std::size_t> at = scene_.pointAt(position);
  if (at != scene_.hovered) {
    scene_.hovered = at;
    viewport()->setCursor(at ? Qt::PointingHandCursor : Qt::ArrowCursor);
    viewport()->update();
  }
  if (at) {
    QToolTip::showText(global, tooltipOf(scene_.roofline.points[*at]), viewport());
  } else {
    QToolTip::hideText();
  }
}

void RooflineChart::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) {
    drag_ = event->modifiers().testFlag(Qt::ShiftModifier) ? Drag::rectangle : Drag::pressed;
    drag_from_ = drag_at_ = event->position();
  }
  event->accept();
}

void RooflineChart::mouseMoveEvent(QMouseEvent* event) {
  const QPointF now = event->position();
  if (drag_ == Drag::pressed &&
      (now - drag_from_).manhattanLength() >= QApplication::startDragDistance()) {
    drag_ = Drag::pan;
    viewport()->setCursor(Qt::ClosedHandCursor);
    QToolTip::hideText();
  }
  if (drag_ == Drag::pan) {
    const double dx = (drag_at_.x() - now.x()) / scene_.plot.width();
    const double dy = (now.y() - drag_at_.y()) / scene_.plot.height();
    setRanges({scene_.x.value(dx), scene_.x.value(1 + dx)},
              {scene_.y.value(dy), scene_.y.value(1 + dy)});
  }
  drag_at_ = now;
  if (drag_ == Drag::rectangle) {
    viewport()->update();
  } else if (drag_ == Drag::none) {
    hover(now.toPoint(), event->globalPosition().toPoint());
  }
}

void RooflineChart::mouseReleaseEvent(QMouseEvent* event) {
  const Drag was = std::exchange(drag_, Drag::none);
  if (event->button() != Qt::LeftButton) {
    return;
  }
  viewport()->setCursor(Qt::ArrowCursor);
  if (was == Drag::pressed && scene_.plot.contains(event->position())) {
    const std::optional<std::size_t> at = scene_.pointAt(event->position());
    emit kernelClicked(at ? std::optional<std::size_t>(scene_.roofline.points[*at].kernel)
                          : std::nullopt);
  } else if (was == Drag::rectangle) {
    const QRectF area = QRectF(drag_from_, event->position()).normalized() & scene_.plot;
    if (area.width() > 8 && area.height() > 8) {
      const auto fx = [this](double px) { return (px - scene_.plot.left()) / scene_.plot.width(); };
      const auto fy = [this](double px) {
        return (scene_.plot.bottom() - px) / scene_.plot.height();
      };
      setRanges({scene_.x.value(fx(area.left())), scene_.x.value(fx(area.right()))},
                {scene_.y.value(fy(area.bottom())), scene_.y.value(fy(area.top()))});
    }
    viewport()->update();
  }
}

void RooflineChart::wheelEvent(QWheelEvent* event) {
  const double notches = event->angleDelta().y() / 120.0;
  if (notches != 0) {
    zoom(std::pow(wheel_step, notches), event->position());
  }
  event->accept();
}

void RooflineChart::selectNeighbour(int step) {
  std::vector<std::size_t> kernels;
  for (const RooflinePoint& point : scene_.roofline.points) {
    if (kernels.empty() || kernels.back() != point.kernel) {
      kernels.push_back(point.kernel);
    }
  }
  if (kernels.empty()) {
    return;
  }
  const auto count = static_cast<int>(kernels.size());
  int next = step > 0 ? 0 : count - 1;
  if (scene_.selected) {
    const auto now = std::find(kernels.begin(), kernels.end(), *scene_.selected);
    if (now != kernels.end()) {
      next = (static_cast<int>(now - kernels.begin()) + step + count) % count;
    }
  }
  emit kernelClicked(kernels[static_cast<std::size_t>(next)]);
}

void RooflineChart::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Up:
      selectNeighbour(-1);
      break;
    case Qt::Key_Right:
    case Qt::Key_Down:
      selectNeighbour(1);
      break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      zoom(wheel_step * wheel_step, scene_.plot.center());
      break;
    case Qt::Key_Minus:
      zoom(1 / (wheel_step * wheel_step), scene_.plot.center());
      break;
    case Qt::Key_0:
    case Qt::Key_Home:
      resetZoom();
      break;
    default:
      event->ignore();  // Esc and shortcuts belong to the window
  }
}

void RooflineChart::leaveEvent(QEvent* event) {
  scene_.hovered.reset();
  viewport()->update();
  QChartView::leaveEvent(event);
}

}  // namespace ridgepoint::gui
