// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/export_chart.h"

#include <QBuffer>
#include <QPainter>
#include <QPixmap>
#include <QSvgGenerator>

#include "gui/roofline/roofline_chart.h"

namespace ridgepoint::gui {
Status exportChart(RooflineChart& chart, const ExportTarget& target) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  if (target.path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive)) {
    QSvgGenerator svg;
    svg.setOutputDevice(&buffer);
    svg.setSize(chart.size());
    svg.setViewBox(chart.rect());
    svg.setTitle(QObject::tr("Roofline"));
    QPainter painter(&svg);
    chart.render(&painter);
    painter.end();
  } else {
    constexpr double scale = 2;  // for print and high-density screens
    QPixmap image(chart.size() * scale);
    image.setDevicePixelRatio(scale);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    chart.render(&painter);
    painter.end();
    buffer.open(QIODevice::WriteOnly);
    if (!image.save(&buffer, "PNG")) {
      return fail(ErrorDomain::output, "writing " + target.path.toStdString(),
                  "the image could not be encoded");
    }
  }
  return writeExport(target, bytes);
}

}  // namespace ridgepoint::gui
