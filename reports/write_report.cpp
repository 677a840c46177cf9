#include "reports/write_report.h"

#include "analyzer/core/file.h"

namespace ridgepoint {

Status write_report(std::string_view text, const std::filesystem::path& path, bool force) {
  return write_file(path, text, force ? Overwrite::yes : Overwrite::no, Access::umask);
}

}  // namespace ridgepoint
