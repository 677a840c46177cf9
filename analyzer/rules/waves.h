// Rules about waves of blocks share how a loss is told: what the count of waves supposes, but no
// more than the SMs' own cycles show idle, since blocks of different length fill gaps.
#pragma once

#include <optional>
#include <string>

#include "analyzer/rules/rule.h"

namespace ridgepoint {

// Evidence, gain and severity of a kernel that loses `supposed` of its time (named `formula`) to a
// wave that is not full; empty when it loses less than 5 %. Title, explanation and action are the
// caller's.
std::optional<Diagnosis> wave_loss(const KernelAnalysis& kernel, double supposed,
                                   const std::string& formula, double full_waves);

}  // namespace ridgepoint
