// The report as a database, for questions that no table answers. Made under a temporary name in one
// transaction and put in place when it is whole.
#include "analyzer/core/file_writer.h"
#include "reports/formats/formats.h"
#include "reports/sqlite/database.h"
#include "reports/sqlite/schema.h"
#include "reports/sqlite/tables.h"

namespace ridgepoint {
namespace {

Status fill(sqlite::Database&& database, const ReportInput& input) {
  database.execute("BEGIN");
  database.execute(sqlite::schema);
  sqlite::write_analysis(database, input.analysis);
  sqlite::write_series(database, input.analysis);
  if (input.session != nullptr) {
    sqlite::write_session_tables(database, *input.session, input.analysis);
  }
  database.execute("COMMIT");
  return database.status();
}

}  // namespace

Status save_sqlite(const ReportInput& input, const std::filesystem::path& path, bool force) {
  const std::string what = "writing " + path.string();
  return FileWriter::create(path, force ? Overwrite::yes : Overwrite::no, Access::umask)
      .and_then([&](FileWriter&& file) -> Status {
        if (file.temporary_path().empty()) {
          return fail(ErrorDomain::output, what, "a database needs a regular file");
        }
        return sqlite::Database::open(file.temporary_path(), what)
            .and_then([&](sqlite::Database&& database) { return fill(std::move(database), input); })
            .and_then([&] { return file.commit(); });
      });
}

}  // namespace ridgepoint
