// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "analyzer/core/error.h"
#include "gui/app/write_export.h"

namespace ridgepoint::gui {

class RooflineChart;

// The chart as it is shown, by the ending of the name: .svg as vectors, else as a PNG.
Status exportChart(RooflineChart& chart, const ExportTarget& target);

}  // namespace ridgepoint::gui
