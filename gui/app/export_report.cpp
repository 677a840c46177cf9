// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/export_report.h"

#include <string_view>

#include "reports/report.h"

namespace ridgepoint::gui {
namespace {

QString text(std::string_view view) {
  return QString::fromUtf8(view.data(), static_cast<int>(view.size()));
}

}  // namespace

std::vector<ExportFormat> exportFormats() {
  std::vector<ExportFormat> formats;
  for (const ReportFormat& format : report_formats()) {
    // The window holds what was derived, not the launches one by one.
    if (format.needs_session || format.save != nullptr) {
      continue;
    }
    formats.push_back({text(format.name), text(format.description), text(format.extension)});
  }
  return formats;
}

Status exportReport(const Analysis& analysis, const QString& format, const ExportTarget& target) {
  const Result<std::string> report = render_report(analysis, format.toStdString());
  if (!report) {
    return tl::make_unexpected(report.error());
  }
  return writeExport(target, QByteArray::fromStdString(*report));
}

}  // namespace ridgepoint::gui
