// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and analyses a session away from the window's thread.
//
// Life cycle: load() starts a job and makes it the current one; a job that is no longer current, as
// a newer one started or cancel() was called, runs to its end unseen and its result is dropped. So
// the window always shows the file that was asked for last, however long the others took.
#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <functional>

#include "analyzer/core/error.h"
#include "gui/models/analysis_ptr.h"

namespace ridgepoint::gui {

using LoadResult = Result<AnalysisPtr>;
using LoadFunction = std::function<LoadResult(const QString& path)>;

// read_session() and analyse(). Runs on any thread.
LoadResult loadSession(const QString& path);

class DocumentLoader : public QObject {
  Q_OBJECT

 public:
  explicit DocumentLoader(QObject* parent, LoadFunction load = loadSession);

  void load(const QString& path);
  void cancel();
  bool busy() const { return busy_; }
  QString path() const { return path_; }  // of the current job

 signals:
  void started(const QString& path);
  void finished(const QString& path, const ridgepoint::gui::AnalysisPtr& analysis);
  void failed(const QString& path, const ridgepoint::Error& error);
  void cancelled(const QString& path);

 private:
  LoadFunction load_;
  std::uint64_t current_job_ = 0;
  bool busy_ = false;
  QString path_;
};

}  // namespace ridgepoint::gui
