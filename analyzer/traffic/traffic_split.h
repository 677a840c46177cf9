// Traffic of a kernel of a known workload split in three: inputs and outputs of the problem,
// intermediates that only this variant has, and what moved again beyond once each.
//
// What is due once is known from the problem (analyzer/attention/tensors.h); what moved was
// counted, reads and writes apart. The rest is attribution: bytes beyond those due moved again;
// where fewer moved than were due, the intermediates are the ones that stayed above this level,
// since the kernel before has just left them in the cache. So the parts always add up to what was
// counted, and `kept` says how much of what was due did not come by.
#pragma once

#include <string>
#include <vector>

#include "analyzer/analysis/analysis.h"
#include "analyzer/attention/tensors.h"

namespace ridgepoint {

struct DueOnce {
  double inputs_outputs = 0;
  double intermediates = 0;
};

// One direction of one level.
TrafficSplit split_bytes(double moved, const DueOnce& due);

// What merged in L2 (Traffic::merged) was read again.
std::optional<TrafficSplit> without_merged(std::optional<TrafficSplit> split, double merged);

// Fills the splits and the L2's savings of the kernels of every variant, and their sums over the
// variants; a sum is empty where one kernel's is. An input that an earlier kernel of the variant
// has read is no longer due: reading it again is a re-read. `uses` has, for each kernel, those of
// one launch.
void split_traffic(std::vector<KernelAnalysis>& kernels, std::vector<VariantAnalysis>& variants,
                   const std::vector<std::vector<TensorUse>>& uses);

}  // namespace ridgepoint
