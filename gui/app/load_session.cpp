// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <filesystem>

#include "analyzer/open/open_analysis.h"
#include "gui/app/document_loader.h"

namespace ridgepoint::gui {

LoadResult loadSession(const QString& path) {
  return open_analysis(std::filesystem::path(QFile::encodeName(path).toStdString()))
      .map([](Analysis&& analysis) -> AnalysisPtr {
        return std::make_shared<const Analysis>(std::move(analysis));
      });
}

}  // namespace ridgepoint::gui
