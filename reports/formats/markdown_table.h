#pragma once

#include <cstddef>
#include <string>

#include "reports/presenters/table.h"

namespace ridgepoint {

// A GitHub-flavoured table of at most `most` columns: wider ones are unreadable on a pull request.
std::string markdown_table(const Table& table, std::size_t most = 12);

}  // namespace ridgepoint
