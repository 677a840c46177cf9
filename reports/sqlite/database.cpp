#include "reports/sqlite/database.h"

#include <cmath>

#include "analyzer/core/text.h"

namespace ridgepoint::sqlite {

Result<Database> Database::open(const std::string& path, std::string what) {
  Database database(std::move(what));
  sqlite3* handle = nullptr;
  const int code =
      sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  database.handle_.reset(handle);  // set even on failure
  database.check(code);
  // The file is new and put in place when it is whole: a rollback journal beside it, and a flush
  // for each page, would protect nothing.
  database.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
  if (!database.status_) {
    return tl::make_unexpected(database.status_.error());
  }
  return database;
}

void Database::check(int code) {
  const bool fine = code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW;
  if (fine || !status_) {
    return;
  }
  status_ = fail(ErrorDomain::output, what_,
                 handle_ ? sqlite3_errmsg(handle_.get()) : sqlite3_errstr(code), {}, code);
}

void Database::execute(const char* sql) {
  if (status_) {
    check(sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr));
  }
}

Insert::Insert(Database& database, const std::string& table, int columns) : database_(database) {
  std::string sql = "INSERT OR IGNORE INTO " + table + " VALUES (?";
  for (int i = 1; i < columns; ++i) {
    sql += ",?";
  }
  sql += ")";
  if (database_.status_) {
    sqlite3_stmt* statement = nullptr;
    database_.check(
        sqlite3_prepare_v2(database_.handle_.get(), sql.c_str(), -1, &statement, nullptr));
    statement_.reset(statement);
  }
}

Insert& Insert::text(std::string_view value) {
  if (value.empty() || !database_.status_) {
    ++next_;  // what is not bound is NULL
    return *this;
  }
  const std::string clean = printable(value);
  database_.check(sqlite3_bind_text(statement_.get(), next_++, clean.data(),
                                    static_cast<int>(clean.size()), SQLITE_TRANSIENT));
  return *this;
}

Insert& Insert::real(const std::optional<double>& value) {
  if (value && std::isfinite(*value) && database_.status_) {
    database_.check(sqlite3_bind_double(statement_.get(), next_, *value));
  }
  ++next_;
  return *this;
}

Insert& Insert::integer(const std::optional<std::int64_t>& value) {
  if (value && database_.status_) {
    database_.check(sqlite3_bind_int64(statement_.get(), next_, *value));
  }
  ++next_;
  return *this;
}

void Insert::add() {
  if (database_.status_) {
    database_.check(sqlite3_step(statement_.get()));
    sqlite3_reset(statement_.get());
    sqlite3_clear_bindings(statement_.get());
  }
  next_ = 1;
}

}  // namespace ridgepoint::sqlite
