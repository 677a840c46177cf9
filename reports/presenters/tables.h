// The tables of an analysis.
#pragma once

#include <string>
#include <vector>

#include "analyzer/analysis/analysis.h"
#include "reports/presenters/table.h"

namespace ridgepoint {

Table kernel_table(const Analysis& analysis);   // one row a kernel
Table variant_table(const Analysis& analysis);  // one row a variant, naive beside fused
// The variant table turned round: one row a quantity, one column a variant, and beside each but the
// first its factor to the first.
Table comparison_table(const Analysis& analysis);
Table traffic_table(
    const Analysis& analysis);  // one row a variant and level: measured, predicted, ratio
// What the kernel table and the targets need said where no tooltip says it: what shares and
// utilisations refer to.
std::vector<std::string> kernel_notes(const Analysis& analysis);
// What the traffic table needs said, in sentences: why measured bytes lie below the compulsory
// ones.
std::vector<std::string> traffic_notes(const Analysis& analysis);
// What a backward pass costs in memory and FLOP, in sentences: keeping P against computing it
// again. Empty for other runs.
std::vector<std::string> recomputation_notes(const Analysis& analysis);
Table stall_table(const Analysis& analysis);  // one row a kernel, one column a stall reason
Table target_table(const Analysis& analysis);
Table tile_table(const Analysis& analysis);  // predictions: the tiles that would fit
Table ceiling_table(const Analysis& analysis);
Table power_table(const Analysis& analysis);  // one row a phase that was watched (trace_charts.cpp)

}  // namespace ridgepoint
