// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/write_export.h"

#include <QFile>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "analyzer/core/file.h"
#include "reports/write_report.h"

namespace ridgepoint::gui {
namespace {

namespace fs = std::filesystem;

fs::path native(const QString& path) {
  return {QFile::encodeName(path).toStdString()};
}

}  // namespace

Status checkExport(const ExportTarget& target) {
  const fs::path path = native(target.path);
  std::error_code ignored;
  const fs::file_status status = fs::symlink_status(path, ignored);
  if (!fs::exists(status)) {
    return {};
  }
  const std::string what = "writing " + path.string();
  if (!target.source.isEmpty() && fs::equivalent(path, native(target.source), ignored)) {
    return fail(ErrorDomain::output, what, "it is the session that is shown",
                "choose another name");
  }
  if (!target.replace) {
    return tl::make_unexpected(exists_error(path));
  }
  if (!fs::is_regular_file(status)) {
    return fail(ErrorDomain::output, what, "it is not a regular file", "choose another name");
  }
  return {};
}

Status writeExport(const ExportTarget& target, const QByteArray& bytes) {
  return checkExport(target).and_then([&] {
    return write_report(std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())),
                        native(target.path), target.replace);
  });
}

}  // namespace ridgepoint::gui
