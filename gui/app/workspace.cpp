// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/workspace.h"

#include <QAction>
#include <QChildEvent>
#include <QCoreApplication>
#include <QDockWidget>
#include <QTabBar>
#include <QTabWidget>
#include <algorithm>
#include <optional>
#include <string>

#include "gui/roofline/roofline_view.h"
#include "gui/views/view_registry.h"
#include "reports/presenters/activity.h"

namespace ridgepoint::gui {
namespace {

// A kernel keeps its name over a reload, not its index.
std::optional<std::string> selectedName(const AnalysisPtr& analysis,
                                        const KernelSelection& selection) {
  const std::optional<std::size_t> index = selection.current();
  if (!analysis || !index || *index >= analysis->kernels.size()) {
    return std::nullopt;
  }
  return analysis->kernels[*index].short_name;
}

// A session of stall samples has no bytes.
bool hasStallsAlone(const Analysis& analysis) {
  const auto counted = [](const KernelAnalysis& kernel) {
    return std::any_of(kernel.traffic.values.begin(), kernel.traffic.values.end(),
                       [](const Traffic& traffic) { return traffic.total.has_value(); });
  };
  const auto sampled = [](const KernelAnalysis& kernel) { return !kernel.stalls.empty(); };
  return std::none_of(analysis.kernels.begin(), analysis.kernels.end(), counted) &&
         std::any_of(analysis.kernels.begin(), analysis.kernels.end(), sampled);
}

}  // namespace

Workspace::Workspace(QWidget* parent)
    : QMainWindow(parent),
      centre_(new QTabWidget(this)),
      roofline_(new RooflineView(selection_, this)) {
  setObjectName(QStringLiteral("workspace"));
  setWindowFlags(Qt::Widget);
  setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
  setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  centre_->setObjectName(QStringLiteral("centre"));
  centre_->setDocumentMode(true);
  centre_->addTab(roofline_, tr("Roofline"));
  centre_->tabBar()->hide();
  setCentralWidget(centre_);
  views_.push_back(roofline_);
  for (const ViewEntry& entry : viewRegistry()) {
    if (entry.area == Qt::NoDockWidgetArea) {
      AnalysisView* view = entry.create(selection_, centre_);
      view->setObjectName(QString::fromLatin1(entry.id));
      centre_->addTab(view, QCoreApplication::translate("View", entry.title));
      views_.push_back(view);
      continue;
    }
    auto* made = new QDockWidget(QCoreApplication::translate("View", entry.title), this);
    made->setObjectName(QString::fromLatin1(entry.id));
    AnalysisView* view = entry.create(selection_, made);
    made->setWidget(view);
    made->setAccessibleName(made->windowTitle());
    views_.push_back(view);
  }
  restoreDefaultLayout();
}

void Workspace::childEvent(QChildEvent* event) {
  auto* bar = event->polished() ? qobject_cast<QTabBar*>(event->child()) : nullptr;
  if (bar != nullptr) {
    bar->setElideMode(Qt::ElideNone);
    bar->setUsesScrollButtons(true);
  }
  QMainWindow::childEvent(event);
}

QDockWidget* Workspace::dock(const char* id) const {
  return findChild<QDockWidget*>(QString::fromLatin1(id), Qt::FindDirectChildrenOnly);
}

void Workspace::restoreDefaultLayout() {
  QDockWidget* previous = nullptr;
  for (const ViewEntry& entry : viewRegistry()) {
    QDockWidget* one = dock(entry.id);
    if (one == nullptr) {
      continue;
    }
    removeDockWidget(one);
    one->setFloating(false);
    addDockWidget(entry.area, one);
    if (entry.tabbed_with_previous) {
      tabifyDockWidget(previous, one);
    }
    one->show();
    previous = one;
  }
  for (const ViewEntry& entry : viewRegistry()) {
    if (!entry.tabbed_with_previous && dock(entry.id) != nullptr) {
      dock(entry.id)->raise();
    }
  }
  // Shares, not pixels, when the window is smaller than their sum.
  resizeDocks({dock("diagnoses")}, {440}, Qt::Horizontal);
  resizeDocks({dock("diagnoses"), dock("traffic")}, {400, 400}, Qt::Vertical);
  resizeDocks({dock("kernels")}, {250}, Qt::Vertical);
}

QList<QAction*> Workspace::viewActions() const {
  QList<QAction*> actions;
  for (const ViewEntry& entry : viewRegistry()) {
    if (QDockWidget* one = dock(entry.id)) {
      actions << one->toggleViewAction();
    }
  }
  return actions;
}

void Workspace::raiseView(const QString& id) {
  if (auto* one = findChild<QDockWidget*>(id, Qt::FindDirectChildrenOnly)) {
    one->show();
    one->raise();
    one->widget()->setFocus();
    return;
  }
  for (int tab = 0; tab < centre_->count(); ++tab) {
    if (centre_->widget(tab)->objectName() == id && centre_->isTabVisible(tab)) {
      centre_->setCurrentIndex(tab);
      centre_->widget(tab)->setFocus();
    }
  }
}

void Workspace::arrangeCentre(const Analysis& analysis) {
  const int roofline = centre_->indexOf(roofline_);
  for (int tab = 0; tab < centre_->count(); ++tab) {
    centre_->setTabVisible(tab, tab == roofline || analysis.timeline != nullptr);
  }
  centre_->tabBar()->setVisible(analysis.timeline != nullptr);
  centre_->setCurrentIndex(is_timeline_alone(analysis) ? centre_->count() - 1 : roofline);
}

void Workspace::setAnalysis(const AnalysisPtr& analysis) {
  const std::optional<std::string> name = selectedName(analysis_, selection_);
  selection_.select(std::nullopt);
  analysis_ = analysis;
  for (AnalysisView* view : views_) {
    view->setAnalysis(analysis);
  }
  arrangeCentre(*analysis);
  if (hasStallsAlone(*analysis)) {
    dock("stalls")->raise();
    dock("hot_spots")->raise();
  }
  for (std::size_t i = 0; name && i < analysis->kernels.size(); ++i) {
    if (analysis->kernels[i].short_name == *name) {
      selection_.select(i);
      break;
    }
  }
}

}  // namespace ridgepoint::gui
