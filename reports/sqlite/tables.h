// Filling the tables of schema.h, the derived ones from the analysis, the recorded ones from the
// session.
#pragma once

#include "analyzer/analysis/analysis.h"
#include "reports/sqlite/database.h"

namespace ridgepoint::sqlite {

void write_analysis(Database& database, const Analysis& analysis);
// Traffic by range, power and counters over time: of the analysis as well.
void write_series(Database& database, const Analysis& analysis);
// `analysis` is of that session.
void write_session_tables(Database& database, const Session& session, const Analysis& analysis);

}  // namespace ridgepoint::sqlite
