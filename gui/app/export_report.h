// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "analyzer/analysis/analysis.h"
#include "analyzer/core/error.h"
#include "gui/app/write_export.h"

namespace ridgepoint::gui {

struct ExportFormat {
  QString name;         // of report_formats()
  QString description;  // for the menu
  QString extension;    // with the dot
};

std::vector<ExportFormat> exportFormats();
Status exportReport(const Analysis& analysis, const QString& format, const ExportTarget& target);

}  // namespace ridgepoint::gui
