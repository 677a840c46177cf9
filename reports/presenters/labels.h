// Names for people where the analysis has keys.
#pragma once

#include <string>

#include "analyzer/analysis/analysis.h"
#include "analyzer/compare/quantity.h"
#include "analyzer/stalls/stall_names.h"

namespace ridgepoint {

// The roof that binds: where it is the data stage that shared memory has in common with L1, the one
// of them that fills it (KernelAnalysis::bound_pipe).
std::string roof_label(BoundBy bound, const std::string& pipe);
// "HBM bandwidth", "Compute (Tensor FP16)", "Compute (special-function pipe)", "DRAM (Nsight)" when
// Nsight's percentages and not our roofs say so, "n/a" when unknown.
std::string bound_text(const Analysis& analysis, const KernelAnalysis& kernel);
// "Tensor FP16" for "tensor_fp16": the ceiling's own label when there is one.
std::string precision_label(const Analysis& analysis, const std::string& precision);
// Its label, with the name of the warp state where it is a share of stalls.
std::string quantity_label(const QuantityInfo& quantity);
std::string verdict_label(Verdict verdict);  // "met", "missed", "not applicable"
// "1 x 16 heads, N = 8192, d = 128, FP16, forward".
std::string workload_text(const AttentionShape& shape);
// "64 x 16 x 1".
std::string dim_text(const Dim3& dim);

// Whether the analysis holds predictions alone: no variant has a byte that was counted.
bool nothing_ran(const Analysis& analysis);

}  // namespace ridgepoint
