// The tables of an analysis.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analyzer/analysis/analysis.h"
#include "reports/presenters/table.h"

namespace ridgepoint {

Table kernel_table(const Analysis& analysis);  // one row a kernel
// A kernel table in the parts that a page has room for, each with the kernels' names: what binds;
// bytes, stalls and occupancy; balance over the SMs; energy. Only parts with columns of their own.
std::vector<Table> kernel_table_parts(const Table& kernels);
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
// ones, and those of L2 below the predicted.
std::vector<std::string> traffic_notes(const Analysis& analysis);
// Which FLOP the rates and intensities of variants and kernels are of, and a variant's rate by
// those executed where it is another. Empty where no variant has a rate.
std::vector<std::string> flop_notes(const Analysis& analysis);
// What a backward pass costs in memory and FLOP, in sentences: keeping P against computing it
// again. Empty for other runs.
std::vector<std::string> recomputation_notes(const Analysis& analysis);
// One row a variant and level, then one a kernel: inputs and outputs, intermediates, re-reads, and
// what L2 saved. Without rows where the kernels' tensors are not known.
Table traffic_split_table(const Analysis& analysis);
// The same with one row a kernel of the analysis, for scripts.
Table kernel_split_table(const Analysis& analysis);
std::string traffic_split_note(const Analysis& analysis);  // how the bytes are shared out
// One row an NVTX range path, longest first, and before them one of the whole run; without rows
// when there are neither ranges nor traffic.
Table range_table(const Analysis& analysis);
std::string range_title(const Analysis& analysis);
// "fused: P50 1.23 ms (95 % confidence interval 1.22 to 1.24 ms), ...": one a variant.
std::vector<std::string> latency_notes(const Analysis& analysis);
// One row a kernel, one column a stall reason; below a kernel that was sampled on several devices,
// one row a device.
Table stall_table(const Analysis& analysis);
// Of that table the reasons that weigh most and, of the first `kernels` of the analysis, those that
// were sampled: what a page has room for.
Table leading_stall_table(const Analysis& analysis, std::size_t kernels);
std::string leading_stall_note(const Analysis& analysis, std::size_t kernels);
std::string on_device(const std::string& kernel, std::int64_t device);  // "softmax on GPU 1"
Table target_table(const Analysis& analysis);
struct TargetNumbers {
  std::string value;  // empty when it was not measured
  std::string goal;   // "> 80.0 %"
};
TargetNumbers target_numbers(const TargetResult& target);
Table tile_table(const Analysis& analysis);   // predictions: the tiles that would fit
Table split_table(const Analysis& analysis);  // predictions of few queries: parts of the keys
std::string split_note();                     // how its times are estimated
Table ceiling_table(const Analysis& analysis);
Table power_table(const Analysis& analysis);  // one row a phase that was watched (trace_charts.cpp)

}  // namespace ridgepoint
