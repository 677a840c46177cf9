// The result of a budget check, as every format words it.
#pragma once

#include <string>

#include "analyzer/gate/check_result.h"
#include "reports/presenters/table.h"

namespace ridgepoint {

Table gate_table(const GateResult& result);           // failed first, then no verdict, then passed
std::string gate_headline(const GateResult& result);  // "Failed: 1 of 8 checks, 1 without verdict"
std::string status_label(CheckStatus status);         // "no verdict"
// "fused: P50 latency is 1.72 ms, must be at most 1.65 ms (p = 0.0002)".
std::string check_sentence(const CheckResult& check);
// The results in the order of gate_table().
std::vector<const CheckResult*> gravest_first(const GateResult& result);

}  // namespace ridgepoint
