// A name for each check of a verdict that no other one has, for scripts that follow a check from
// run to run.
#pragma once

#include <string>
#include <vector>

#include "analyzer/gate/check_result.h"

namespace ridgepoint {

// "variant/fused/latency_s.p50/max": scope, subject, id and limit. Where the budget asks the same
// twice, the later ones of its order end in " #2", " #3": one budget gives the same names whatever
// was measured.
struct CheckName {
  std::string text;
  int repetition = 1;
  std::string suffix() const;  // " #2"; empty for the first
};
// One a result, in the order of the results.
std::vector<CheckName> check_names(const GateResult& result);

}  // namespace ridgepoint
