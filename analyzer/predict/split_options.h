// Split-KV on a GPU that is not at hand: the tile, the roofs, and the numbers of parts that it
// might be launched with.
#pragma once

#include <vector>

#include "analyzer/analysis/analysis.h"
#include "analyzer/attention/split_kv.h"
#include "analyzer/predict/gpu.h"

namespace ridgepoint {

inline constexpr const char* split_kv_name = "split_kv";

// As few query rows as hold those of a group, from 16 to 128, or to 64 at head dimension 256; as
// many keys as leave room for two stages of K and V beside them on every GPU since compute
// capability 8.0.
SplitKvTile split_kv_tile(const AttentionShape& shape);
// The theoretical roofs, as in every prediction.
SplitKvMachine split_kv_machine(const AttentionShape& shape, const GpuDescription& gpu);
std::vector<SplitOption> split_options(const AttentionShape& shape, const GpuDescription& gpu);

}  // namespace ridgepoint
