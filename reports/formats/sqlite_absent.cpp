// Stands in where the build found no SQLite.
#include "reports/formats/formats.h"

namespace ridgepoint {

Status save_sqlite(const ReportInput& /*input*/, const std::filesystem::path& path,
                   bool /*force*/) {
  return fail(ErrorDomain::usage, "writing " + path.string(), "this build has no SQLite",
              "install libsqlite3-dev, configure and build again; or use csv or json");
}

}  // namespace ridgepoint
