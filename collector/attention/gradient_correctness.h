// The correctness phase of a backward run: dQ, dK and dV of every variant against the host's double
// precision, on all rows of a small problem and on a sample of a large one.
#pragma once

#include "collector/attention/phases.h"

namespace ridgepoint::collector {

Result<std::vector<Correctness>> check_gradient_correctness(const AttentionBench& bench,
                                                            std::uint64_t seed,
                                                            std::vector<Issue>& issues,
                                                            const ProgressSink& progress);

}  // namespace ridgepoint::collector
