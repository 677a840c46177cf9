// SPDX-License-Identifier: GPL-3.0-or-later
// Horizontal bars with text at both ends: label, bar of one or more segments, value. Painted by
// hand, as Qt Charts can neither label a segment nor mark a prediction on a bar.
#pragma once

#include <QColor>
#include <QString>
#include <QWidget>
#include <cstddef>
#include <optional>
#include <vector>

namespace ridgepoint::gui {

struct BarSegment {
  double value = 0;
  QColor colour;
  QString label;    // painted inside when there is room
  QString tooltip;  // rich text
};

struct BarRow {
  QString heading;  // starts a group when not empty
  QString label;
  std::vector<BarSegment> segments;
  std::optional<double> marker;  // a tick across the bar, the predicted value
  QString value;
  QString tooltip;  // of what is not a segment
  std::optional<std::size_t> kernel;
};

struct BarLegend {
  QColor colour;
  QString text;
  bool tick = false;  // the marker's sign instead of a swatch
};

struct BarData {
  std::vector<BarRow> rows;
  std::vector<BarLegend> legend;
  double maximum = 0;  // of the scale
  bool logarithmic = false;
  double minimum = 0;  // left end of a logarithmic scale, positive
};

class BarChart : public QWidget {
  Q_OBJECT

 public:
  explicit BarChart(QWidget* parent);

  void setData(BarData bars);
  void setSelected(std::optional<std::size_t> kernel);
  const BarData& barData() const { return data_; }
  // Where a row's bar area lies, for tests and tooltips.
  QRect barRect(std::size_t row) const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;

 signals:
  void kernelClicked(std::size_t kernel);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Placed {
    QRect heading;
    QRect row;
    QRect bar;
  };
  struct Layout {
    std::vector<QRect> legend;
    std::vector<Placed> rows;
    int height = 0;
  };
  Layout arrange(int width) const;
  double fraction(double value) const;
  QString tooltipAt(const QPoint& position) const;
  void paintRow(QPainter& painter, const BarRow& row, const QString& name, const Placed& at) const;
  void paintLegend(QPainter& painter, const std::vector<QRect>& places) const;

  BarData data_;
  std::optional<std::size_t> selected_;
};

}  // namespace ridgepoint::gui
