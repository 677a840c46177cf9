// Rules about one stall reason share Nsight Compute's trigger: the reason takes 30 % of the warps'
// time while issue slots are used below 80 %.
#pragma once

#include <optional>

#include "analyzer/rules/rule.h"

namespace ridgepoint {

struct StallRule {
  const char* reason;  // CUPTI's name: "barrier"
  const char* what;    // what warps do: "wait at barriers"
  const char* why;
  const char* action;
};

std::optional<Diagnosis> leading_stall(const KernelAnalysis& kernel, const StallRule& rule);

}  // namespace ridgepoint
