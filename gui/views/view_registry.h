// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qt>
#include <vector>

#include "gui/views/analysis_view.h"

namespace ridgepoint::gui {

// A dock of the workspace, or beside the roofline in the middle: Qt::NoDockWidgetArea. The order of
// the registry is the order of tabs and of the View menu.
struct ViewEntry {
  const char* id;     // names the dock in saved layouts
  const char* title;  // translated when shown
  Qt::DockWidgetArea area;
  bool tabbed_with_previous;  // shares the place of the entry before it
  AnalysisView* (*create)(KernelSelection& selection, QWidget* parent);
};

const std::vector<ViewEntry>& viewRegistry();

}  // namespace ridgepoint::gui
