// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/bar_chart.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "gui/models/display.h"
#include "gui/theme/theme.h"

namespace ridgepoint::gui {
namespace {

constexpr int margin = 10;
constexpr int row_height = 23;
constexpr int bar_height = 15;
constexpr int heading_height = 21;
constexpr int gap = 10;
constexpr int swatch = 10;
constexpr int legend_line = 20;

}  // namespace

BarChart::BarChart(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setBackgroundRole(QPalette::Base);  // scroll areas fill what they show
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void BarChart::setData(BarData bars) {
  data_ = std::move(bars);
  QStringList spoken;
  for (const BarRow& row : data_.rows) {
    spoken << QStringLiteral("%1 %2: %3").arg(row.heading, row.label, row.value).trimmed();
  }
  setAccessibleDescription(spoken.join(QStringLiteral("; ")));
  updateGeometry();
  update();
}

void BarChart::setSelected(std::optional<std::size_t> kernel) {
  selected_ = kernel;
  update();
}

BarChart::Layout BarChart::arrange(int width) const {
  const QFontMetrics metrics(font());
  Layout layout;
  int x = margin;
  int y = margin;
  for (const BarLegend& entry : data_.legend) {
    const int need = swatch + 6 + metrics.horizontalAdvance(entry.text);
    if (x > margin && x + need > width - margin) {
      x = margin;
      y += legend_line;
    }
    layout.legend.emplace_back(x, y, need, legend_line);
    x += need + 16;
  }
  if (!data_.legend.empty()) {
    y += legend_line + 4;
  }
  int label_width = 0;
  int value_width = 0;
  for (const BarRow& row : data_.rows) {
    label_width = std::max(label_width, metrics.horizontalAdvance(row.label));
    value_width = std::max(value_width, metrics.horizontalAdvance(row.value));
  }
  // Some pixels more than the metrics say: glyphs reach beyond their advance.
  label_width = std::min(label_width + 4, width * 3 / 10);
  value_width = std::min(value_width + 4, width * 4 / 10);
  for (const BarRow& row : data_.rows) {
    Placed at;
    if (!row.heading.isEmpty()) {
      at.heading = QRect(margin, y, width - 2 * margin, heading_height);
      y += heading_height;
    }
    at.row = QRect(margin / 2, y, width - margin, row_height);
    const int bar_left = margin + label_width + gap;
    const int bar_right = width - margin - value_width - gap;
    at.bar = QRect(bar_left, y + (row_height - bar_height) / 2, std::max(20, bar_right - bar_left),
                   bar_height);
    y += row_height;
    layout.rows.push_back(at);
  }
  layout.height = y + margin;
  return layout;
}

QSize BarChart::sizeHint() const {
  return {360, heightForWidth(std::max(width(), 300))};
}

QSize BarChart::minimumSizeHint() const {
  return {240, heightForWidth(std::max(width(), 240))};
}

int BarChart::heightForWidth(int width) const {
  return arrange(width).height;
}

QRect BarChart::barRect(std::size_t row) const {
  const Layout layout = arrange(width());
  return row < layout.rows.size() ? layout.rows[row].bar : QRect();
}

double BarChart::fraction(double value) const {
  if (data_.maximum <= 0 || value <= 0) {
    return 0;
  }
  if (!data_.logarithmic) {
    return std::min(1.0, value / data_.maximum);
  }
  if (data_.minimum <= 0 || data_.maximum <= data_.minimum) {
    return 1;
  }
  return std::clamp(std::log(value / data_.minimum) / std::log(data_.maximum / data_.minimum), 0.0,
                    1.0);
}

void BarChart::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Layout layout = arrange(width());
  paintLegend(painter, layout.legend);
  QStringList labels;
  for (const BarRow& row : data_.rows) {
    labels << row.label;
  }
  if (!layout.rows.empty()) {
    labels =
        elidedApart(labels, QFontMetricsF(font()), layout.rows.front().bar.left() - gap - margin);
  }
  for (std::size_t i = 0; i < data_.rows.size(); ++i) {
    paintRow(painter, data_.rows[i], labels[static_cast<qsizetype>(i)], layout.rows[i]);
  }
  if (hasFocus()) {
    painter.setPen(themeOf(palette()).accent);
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
  }
}

void BarChart::paintLegend(QPainter& painter, const std::vector<QRect>& places) const {
  const Theme& t = themeOf(palette());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const QRect& place = places[i];
    const QRectF box(place.left(), place.center().y() - swatch / 2.0 + 0.5, swatch, swatch);
    if (data_.legend[i].tick) {
      painter.setPen(QPen(t.text, 2));
      painter.drawLine(QPointF(box.center().x(), box.top() - 1),
                       QPointF(box.center().x(), box.bottom() + 1));
    } else {
      painter.setPen(Qt::NoPen);
      painter.setBrush(data_.legend[i].colour);
      painter.drawRoundedRect(box, 2, 2);
    }
    painter.setPen(t.muted);
    painter.drawText(place.adjusted(swatch + 6, 0, 2, 0), Qt::AlignVCenter | Qt::AlignLeft,
                     data_.legend[i].text);
  }
}

void BarChart::paintRow(QPainter& painter, const BarRow& row, const QString& name,
                        const Placed& at) const {
  const Theme& t = themeOf(palette());
  const QFontMetrics metrics(font());
  if (!row.heading.isEmpty()) {
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(t.text);
    painter.drawText(at.heading, Qt::AlignLeft | Qt::AlignVCenter, row.heading);
    painter.setFont(font());
  }
  if (row.kernel && row.kernel == selected_) {
    QColor tint = t.accent;
    tint.setAlphaF(t.dark ? 0.26F : 0.13F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(tint);
    painter.drawRoundedRect(at.row, 4, 4);
  }
  painter.setPen(t.text);
  const QRect label(margin, at.row.top(), at.bar.left() - gap - margin, row_height);
  painter.drawText(label, Qt::AlignRight | Qt::AlignVCenter,
                   metrics.elidedText(name, Qt::ElideMiddle, label.width()));
  painter.setPen(Qt::NoPen);
  painter.setBrush(t.grid);
  painter.drawRoundedRect(at.bar, 3, 3);
  double sum = 0;
  for (const BarSegment& segment : row.segments) {
    const double from = at.bar.left() + at.bar.width() * fraction(sum);
    sum += segment.value;
    const double to = at.bar.left() + at.bar.width() * fraction(sum);
    // One pixel between segments; the smallest non-zero value is still seen.
    const QRectF box(from, at.bar.top(),
                     std::max(1.5, to - from - (row.segments.size() > 1 ? 1 : 0)), bar_height);
    painter.setPen(Qt::NoPen);
    painter.setBrush(segment.colour);
    painter.drawRoundedRect(box, 2, 2);
    if (!segment.label.isEmpty() && metrics.horizontalAdvance(segment.label) + 8 < box.width()) {
      painter.setPen(textOn(segment.colour));
      painter.drawText(box, Qt::AlignCenter, segment.label);
    }
  }
  if (row.marker) {
    const double x = at.bar.left() + at.bar.width() * fraction(*row.marker);
    painter.setPen(QPen(t.surface, 4));
    painter.drawLine(QPointF(x, at.bar.top() - 3), QPointF(x, at.bar.bottom() + 4));
    painter.setPen(QPen(t.text, 2));
    painter.drawLine(QPointF(x, at.bar.top() - 3), QPointF(x, at.bar.bottom() + 4));
  }
  painter.setPen(t.text);
  const QRect value(at.bar.right() + gap, at.row.top(), width() - margin - at.bar.right() - gap + 2,
                    row_height);
  painter.drawText(value, Qt::AlignLeft | Qt::AlignVCenter,
                   metrics.elidedText(row.value, Qt::ElideRight, value.width()));
}

QString BarChart::tooltipAt(const QPoint& position) const {
  const Layout layout = arrange(width());
  for (std::size_t i = 0; i < layout.rows.size(); ++i) {
    const Placed& at = layout.rows[i];
    if (!at.row.contains(position)) {
      continue;
    }
    double sum = 0;
    for (const BarSegment& segment : data_.rows[i].segments) {
      const double from = at.bar.left() + at.bar.width() * fraction(sum);
      sum += segment.value;
      const double to = at.bar.left() + at.bar.width() * fraction(sum);
      if (position.x() >= from && position.x() < to && !segment.tooltip.isEmpty()) {
        return segment.tooltip;
      }
    }
    return data_.rows[i].tooltip;
  }
  return {};
}

bool BarChart::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = tooltipAt(help->pos());
    if (text.isEmpty()) {
      QToolTip::hideText();
    } else {
      QToolTip::showText(help->globalPos(), text, this);
    }
    return true;
  }
  return QWidget::event(event);
}

void BarChart::mousePressEvent(QMouseEvent* event) {
  const Layout layout = arrange(width());
  for (std::size_t i = 0; i < layout.rows.size(); ++i) {
    if (layout.rows[i].row.contains(event->position().toPoint()) && data_.rows[i].kernel) {
      emit kernelClicked(*data_.rows[i].kernel);
      return;
    }
  }
  QWidget::mousePressEvent(event);
}

void BarChart::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Up && event->key() != Qt::Key_Down) {
    QWidget::keyPressEvent(event);
    return;
  }
  std::vector<std::size_t> kernels;
  for (const BarRow& row : data_.rows) {
    if (row.kernel) {
      kernels.push_back(*row.kernel);
    }
  }
  if (kernels.empty()) {
    QWidget::keyPressEvent(event);
    return;
  }
  const auto now =
      selected_ ? std::find(kernels.begin(), kernels.end(), *selected_) : kernels.end();
  std::size_t next = 0;
  if (now != kernels.end()) {
    const auto at = static_cast<std::size_t>(now - kernels.begin());
    next = event->key() == Qt::Key_Down ? std::min(at + 1, kernels.size() - 1)
                                        : (at == 0 ? 0 : at - 1);
  }
  emit kernelClicked(kernels[next]);
}

}  // namespace ridgepoint::gui
