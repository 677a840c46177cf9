// Split-KV on a GPU that is not at hand: the tile, the roofs, and the numbers of parts that it
// might be launched with.
#pragma once

#include <vector>

#include "analyzer/analysis/analysis.h"
#include "analyzer/attention/split_kv.h"
#include "analyzer/predict/gpu.h"

namespace ridgepoint {

inline constexpr const char* split_kv_name = "split_kv";

// That of the kernel (kernels/attention/split_kv/traits.cuh): 16 query rows where they hold those
// of a group, else 64; as many keys as are 16 KB of K.
SplitKvTile split_kv_tile(const AttentionShape& shape);
// The theoretical roofs, as in every prediction.
SplitKvMachine split_kv_machine(const AttentionShape& shape, const GpuDescription& gpu);
std::vector<SplitOption> split_options(const AttentionShape& shape, const GpuDescription& gpu);

}  // namespace ridgepoint
