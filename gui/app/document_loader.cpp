// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/document_loader.h"

#include <QFutureWatcher>
#include <QtConcurrent/QtConcurrentRun>
#include <exception>

namespace ridgepoint::gui {

DocumentLoader::DocumentLoader(QObject* parent, LoadFunction load)
    : QObject(parent), load_(std::move(load)) {}

void DocumentLoader::load(const QString& path) {
  const std::uint64_t job = ++current_job_;
  busy_ = true;
  path_ = path;
  emit started(path);
  auto* watcher = new QFutureWatcher<LoadResult>(this);
  connect(watcher, &QFutureWatcher<LoadResult>::finished, this, [this, watcher, job, path] {
    watcher->deleteLater();
    if (job != current_job_) {
      return;
    }
    busy_ = false;
    const LoadResult result = watcher->result();
    if (result) {
      emit finished(path, *result);
    } else {
      emit failed(path, result.error());
    }
  });
  watcher->setFuture(QtConcurrent::run([load = load_, path]() -> LoadResult {
    // Nothing may be thrown through the thread pool: a file too large for memory is an error to
    // show, not an end of the program.
    try {
      return load(path);
    } catch (const std::exception& problem) {
      return fail(ErrorDomain::input, "opening " + path.toStdString(), problem.what(),
                  "the file may be too large for this machine");
    }
  }));
}

void DocumentLoader::cancel() {
  if (!busy_) {
    return;
  }
  ++current_job_;
  busy_ = false;
  emit cancelled(path_);
}

}  // namespace ridgepoint::gui
