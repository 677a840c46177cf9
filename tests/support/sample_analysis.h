// A hand-built analysis for tests of reports and the window. INVENTED: its numbers are chosen to be
// consistent with one another (bytes / time = bandwidth, FLOP / bytes = intensity), and nothing in
// it was measured. Its device and its first issue say so wherever it is shown.
#pragma once

#include "analyzer/analysis/analysis.h"

namespace ridgepoint::test_support {

// Naive attention (three kernels) against one fused kernel, 16 heads, N = 8192, d = 128, FP16, with
// every field set.
Analysis sample_analysis();

// A profile of some program: one kernel without FLOP and without variant, no attention workload,
// most quantities not measured, no ceilings measured.
Analysis sparse_analysis();

}  // namespace ridgepoint::test_support
