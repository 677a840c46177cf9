// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/view_registry.h"

#include <QCoreApplication>

#include "gui/views/diagnosis_view.h"
#include "gui/views/session_view.h"
#include "gui/views/stall_view.h"
#include "gui/views/table_view.h"
#include "gui/views/timeline_view.h"
#include "gui/views/traffic_view.h"
#include "reports/presenters/hot_spots.h"
#include "reports/presenters/tables.h"

namespace ridgepoint::gui {
namespace {

template <class View>
AnalysisView* make(KernelSelection& selection, QWidget* parent) {
  return new View(selection, parent);
}

template <TableView::Presenter presenter>
AnalysisView* makeTable(KernelSelection& selection, QWidget* parent) {
  return new TableView(selection, parent, presenter);
}

}  // namespace

const std::vector<ViewEntry>& viewRegistry() {
  static const std::vector<ViewEntry> entries = {
      {"diagnoses", QT_TRANSLATE_NOOP("View", "Diagnoses"), Qt::RightDockWidgetArea, false,
       make<DiagnosisView>},
      {"traffic", QT_TRANSLATE_NOOP("View", "Traffic"), Qt::RightDockWidgetArea, false,
       make<TrafficView>},
      {"stalls", QT_TRANSLATE_NOOP("View", "Stalls"), Qt::RightDockWidgetArea, true,
       make<StallView>},
      {"kernels", QT_TRANSLATE_NOOP("View", "Kernels"), Qt::BottomDockWidgetArea, false,
       makeTable<kernel_table>},
      {"variants", QT_TRANSLATE_NOOP("View", "Variants"), Qt::BottomDockWidgetArea, true,
       makeTable<variant_table>},
      {"targets", QT_TRANSLATE_NOOP("View", "Targets"), Qt::BottomDockWidgetArea, true,
       makeTable<target_table>},
      {"stall_table", QT_TRANSLATE_NOOP("View", "Stall reasons"), Qt::BottomDockWidgetArea, true,
       makeTable<stall_table>},
      {"hot_spots", QT_TRANSLATE_NOOP("View", "Hot spots"), Qt::BottomDockWidgetArea, true,
       makeTable<hot_spot_table>},
      {"ranges", QT_TRANSLATE_NOOP("View", "Ranges"), Qt::BottomDockWidgetArea, true,
       makeTable<range_table>},
      {"power", QT_TRANSLATE_NOOP("View", "Power"), Qt::BottomDockWidgetArea, true,
       makeTable<power_table>},
      {"ceilings", QT_TRANSLATE_NOOP("View", "Ceilings"), Qt::BottomDockWidgetArea, true,
       makeTable<ceiling_table>},
      {"session", QT_TRANSLATE_NOOP("View", "Session"), Qt::BottomDockWidgetArea, true,
       make<SessionView>},
      {"timeline", QT_TRANSLATE_NOOP("View", "Timeline"), Qt::NoDockWidgetArea, false,
       make<TimelineView>},
  };
  return entries;
}

}  // namespace ridgepoint::gui
