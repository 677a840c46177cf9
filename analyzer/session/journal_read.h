// Reading what an unsealed journal holds.
#pragma once

#include <string>
#include <string_view>

#include "analyzer/core/error.h"
#include "analyzer/session/session.h"

namespace ridgepoint {

inline constexpr std::string_view journal_schema = "ridgepoint-journal";

bool is_journal(std::string_view bytes);
// Every whole line merged; a torn or damaged line ends the reading. Carries the issue
// "journal.unsealed".
Result<Session> parse_journal(std::string_view bytes, const std::string& what);

}  // namespace ridgepoint
