// The rules that both tools have: how each one's finding is read, and why they may differ.
#pragma once

#include <string>
#include <vector>

#include "tests/analyzer/rules/nsight_agreement.h"

namespace ridgepoint::test {

struct SharedRule {
  const char* nsight;  // its rule, with the kind where it has several
  const char* ours;
  Finding (*nsights)(const JudgedLaunch&);
  Finding (*our)(const JudgedLaunch&);
  // Why they differ on a launch, from what was measured there; empty when nothing explains it.
  std::string (*reason)(const JudgedLaunch&, bool nsight_fired);
  const char* estimates;  // why the two estimates differ; empty where they need not
};

const std::vector<SharedRule>& shared_rules();

}  // namespace ridgepoint::test
