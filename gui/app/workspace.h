// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <vector>

#include "gui/models/analysis_ptr.h"
#include "gui/models/kernel_selection.h"

class QMenu;
class QTabWidget;

namespace ridgepoint::gui {

class AnalysisView;
class RooflineView;

// An open session: the roofline in the middle, with a timeline in a tab beside it where the session
// has one, and every other registered view in a dock around them. A main
// window inside the main window, as docks exist only there and the start page must not show them.
class Workspace : public QMainWindow {
  Q_OBJECT

 public:
  // Raise when docks are added, renamed or moved: layouts saved by another version are refused.
  static constexpr int layout_version = 3;

  explicit Workspace(QWidget* parent);

  void setAnalysis(const AnalysisPtr& analysis);
  AnalysisPtr analysis() const { return analysis_; }
  KernelSelection& selection() { return selection_; }
  RooflineView& roofline() { return *roofline_; }

  QList<QAction*> viewActions() const;
  void raiseView(const QString& id);
  void restoreDefaultLayout();
  QByteArray saveLayout() const { return saveState(layout_version); }
  bool restoreLayout(const QByteArray& state) { return restoreState(state, layout_version); }

 protected:
  // Tab bars are made when docks first share a place: theirs scroll instead of cutting titles.
  void childEvent(QChildEvent* event) override;
  QMenu* createPopupMenu() override { return nullptr; }  // the View menu has the same

 private:
  QDockWidget* dock(const char* id) const;
  // The picture that says most of the session in front, a timeline's tab only where there is one.
  void arrangeCentre(const Analysis& analysis);

  KernelSelection selection_;
  AnalysisPtr analysis_;
  QTabWidget* centre_;
  RooflineView* roofline_;
  std::vector<AnalysisView*> views_;
};

}  // namespace ridgepoint::gui
