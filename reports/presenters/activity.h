// The numbers of a timeline in words: how long, how busy, which gap, what was copied.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "analyzer/analysis/analysis.h"
#include "reports/presenters/table.h"

namespace ridgepoint {

// Name and text; empty without a timeline. Of several GPUs the names say which.
std::vector<std::pair<std::string, std::string>> activity_facts(const Analysis& analysis);
// One row a kind of copy or fill, on each device; without rows where nothing was copied.
Table memory_operation_table(const Analysis& analysis);
// The facts as one sentence, for those who cannot see the picture.
std::string activity_summary(const Analysis& analysis);

// Whether a timeline was taken and no counters, since none were asked for: nothing to complain of.
bool counters_unwanted(const Analysis& analysis);
// Whether a timeline is all there is: no bytes counted, no warps sampled.
bool is_timeline_alone(const Analysis& analysis);

}  // namespace ridgepoint
