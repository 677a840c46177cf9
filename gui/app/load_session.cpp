// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <filesystem>

#include "analyzer/analysis/analyse.h"
#include "analyzer/session/session_file.h"
#include "gui/app/document_loader.h"

namespace ridgepoint::gui {

LoadResult loadSession(const QString& path) {
  return read_session(std::filesystem::path(QFile::encodeName(path).toStdString()))
      .and_then([](const Session& session) { return analyse(session); })
      .map([](Analysis&& analysis) -> AnalysisPtr {
        return std::make_shared<const Analysis>(std::move(analysis));
      });
}

}  // namespace ridgepoint::gui
