// The shared memory of a Hopper attention tile: Q, K and V stages, two mbarriers a stage, a tile
// number a Q stage, and what aligning the base to a swizzle atom may cost.
#pragma once

#include <cstdint>

namespace ridgepoint {

// Stages of K and of V that kernels/attention/hopper/choice.cuh gives a tile of 64 query rows a
// consumer.
std::int64_t hopper_kv_stages(std::int64_t head_dim, bool causal, std::int64_t consumers);

std::int64_t hopper_smem_bytes(std::int64_t head_dim, std::int64_t block_m, std::int64_t block_n,
                               std::int64_t q_stages, std::int64_t kv_stages);

}  // namespace ridgepoint
