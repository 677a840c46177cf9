// Counters in groups that each fit in one pass: where the whole program runs once a pass, each run
// takes one group, and no launch has to be put together by CUPTI from several runs.
#pragma once

#include <string>
#include <vector>

#include "analyzer/core/error.h"

namespace ridgepoint::collector {

struct CuptiApi;

struct PassGroups {
  std::vector<std::vector<std::string>> groups;
  std::vector<std::string> too_wide;  // take several passes alone
};

// The same for the same arguments, in every process. A group with counters that are patched in has
// room for their control. Fails when CUPTI refuses one of the counters for the chip.
Result<PassGroups> group_by_pass(const CuptiApi& api, const std::string& chip,
                                 const std::vector<std::string>& counters);

}  // namespace ridgepoint::collector
