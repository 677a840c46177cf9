// Rules about what warps wait for share Nsight Compute's trigger: one reason takes 30 % of the
// warps' time while issue slots are used below 80 %.
#pragma once

#include <optional>
#include <string>

#include "analyzer/rules/rule.h"

namespace ridgepoint {

inline constexpr double leading_stall_share = 0.30;

struct StallText {
  std::string title;
  std::string explanation;
  std::string action;
};

// Nothing below the trigger. The gain is bounded by the room below the roofs; it is not known where
// no counters tell that room. Where samples are known by instruction, the explanation names the one
// where most of these waits are.
std::optional<Diagnosis> stall_diagnosis(const KernelAnalysis& kernel, const StallShare& stall,
                                         const StallText& text);

struct StallRule {
  const char* reason;  // CUPTI's name: "barrier"
  const char* what;    // what warps do: "wait at barriers"
  const char* why;
  const char* action;
};

std::optional<Diagnosis> leading_stall(const KernelAnalysis& kernel, const StallRule& rule);

}  // namespace ridgepoint
