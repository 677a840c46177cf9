// How sure a finding is: whether measuring once more, or this kernel alone, might not show it.
#pragma once

#include "analyzer/analysis/analysis.h"
#include "analyzer/stalls/shared_samples.h"

namespace ridgepoint {

// Fills `confidence` and `confidence_why` from the evidence that has a threshold. Low: a share of
// stall samples whose 95 % interval, 1.96 sqrt(s (1 - s) / n), holds the threshold, or one whose
// samples are of several kernels of the analysis together, where this one's own may lie on the
// other side (SharedSamples). Medium: such a share that cannot, but may be another by more than 5
// points; a value within 5 % of its threshold, which is what two runs may differ
// by (a value that the launch fixes is no nearer for that), or no threshold at all to hold it
// against. High: the rest. `shared` is of the analysis' kernels.
void rate_confidence(const Analysis& analysis, const SharedSamples& shared, Diagnosis& diagnosis);

}  // namespace ridgepoint
