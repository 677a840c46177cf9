// What `ridgepoint ceilings` measured, as a table.
#pragma once

#include "analyzer/analysis/analysis.h"
#include "reports/presenters/table.h"

namespace ridgepoint {

// One row a micro-benchmark; no rows when none was run on the device.
Table ceiling_measurement_table(const Analysis& analysis);

}  // namespace ridgepoint
