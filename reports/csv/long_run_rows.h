// The rows of the long CSV that are of no single kernel: variants, NVTX ranges and the whole run,
// and what was watched over time.
#pragma once

#include "analyzer/analysis/analysis.h"
#include "reports/text_stream.h"

namespace ridgepoint {

// In the column "launch": "all", or "predicted" where nothing was launched.
const char* all_launches(const Analysis& analysis);

void long_run_rows(const Analysis& analysis, TextStream& out);

}  // namespace ridgepoint
