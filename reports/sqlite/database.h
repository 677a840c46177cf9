// The few things of SQLite that writing a report needs, with owners for its handles.
//
// Life cycle: Database::open() -> execute() the schema and BEGIN -> Insert rows -> execute()
// COMMIT. Destroyed earlier, the file holds nothing anybody should use. The first error stays:
// later calls do nothing, and status() tells it.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "analyzer/core/error.h"

namespace ridgepoint::sqlite {

class Database {
 public:
  // An empty file that exists; it is filled as a database. `what` names the act in errors.
  static Result<Database> open(const std::string& path, std::string what);

  void execute(const char* sql);
  const Status& status() const { return status_; }

 private:
  friend class Insert;
  struct Close {
    void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
  };
  explicit Database(std::string what) : what_(std::move(what)) {}
  void check(int code);

  std::string what_;
  std::unique_ptr<sqlite3, Close> handle_;
  Status status_;
};

// A prepared INSERT: bind the values of a row from left to right, then add().
class Insert {
 public:
  // `columns`: how many values a row has.
  Insert(Database& database, const std::string& table, int columns);

  Insert& text(std::string_view value);  // empty: NULL
  Insert& real(const std::optional<double>& value);
  Insert& integer(const std::optional<std::int64_t>& value);
  void add();

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  Database& database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  int next_ = 1;
};

}  // namespace ridgepoint::sqlite
