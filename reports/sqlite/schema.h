#pragma once

namespace ridgepoint::sqlite {

// CREATE statements of every table and view; docs/sqlite.md explains them.
extern const char* const schema;

}  // namespace ridgepoint::sqlite
