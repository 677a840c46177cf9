// Whether a kernel multiplies matrices on tensor cores, also where their FLOP were not counted.
#pragma once

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

// By counted FLOP, by wgmma, or by its share of other instructions of the tensor pipe. FLOP of some
// types have no counter (INT8, FP16 with FP16 sums on some chips): none counted is not none done.
// But compilers move constants, and add pairs of halves, by HFMA2.MMA, which that pipe runs, too:
// up to 6 % of the instructions of PyTorch's kernels without a product (profile-training-step), 10
// % in a plain wmma product that loads every operand anew (profile-three-kernels), and above 20 %
// in any that reuses one.
bool multiplies_on_tensor_cores(const KernelAnalysis& kernel);

}  // namespace ridgepoint
