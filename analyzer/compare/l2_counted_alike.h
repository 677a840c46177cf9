// L2 bytes of two kernels or variants in the same terms. Where what the SMs received was counted,
// requests that were answered together count for each SM that asked (Traffic::merged); where it was
// not, there is only what L2 looked up, up to a half less for the same kernel. Set against each
// other, both are then what was looked up.
#pragma once

#include <string>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

bool knows_merged(const KernelAnalysis& kernel);
bool knows_merged(const VariantAnalysis& variant);

// Both have L2 bytes, and one of them knows what merged.
bool l2_counted_differently(const KernelAnalysis& base, const KernelAnalysis& now);
bool l2_counted_differently(const VariantAnalysis& base, const VariantAnalysis& now);

KernelAnalysis only_looked_up(KernelAnalysis kernel);
VariantAnalysis only_looked_up(VariantAnalysis variant);

// Of the names of compare/quantity.h: those whose value depends on what merged.
bool counts_merged(const std::string& quantity_id);

}  // namespace ridgepoint
