// How many key tiles the query tiles of one head visit: the count that every level's traffic
// follows from.
#pragma once

#include <cstdint>

#include "analyzer/session/session.h"

namespace ridgepoint {

double tiles_over(std::int64_t extent, std::int64_t tile);  // rounded up; 1 for a tile of 0

double query_heads(const AttentionShape& shape);  // of all sequences

// Of one head: pairs (query tile, key tile) that hold a visible key, whole tiles up to the diagonal
// when causal.
double visited_tiles(const AttentionShape& shape, std::int64_t block_m, std::int64_t block_n);

// The same in rows of Q: those that a key tile's walk over the queries that see it passes, over all
// key tiles.
double visited_queries(const AttentionShape& shape, std::int64_t block_m, std::int64_t block_n);

// The same in rows of K, none past the end of the sequence.
double visited_keys(const AttentionShape& shape, std::int64_t block_m, std::int64_t block_n);

}  // namespace ridgepoint
