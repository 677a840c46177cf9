#include "analyzer/predict/tile_candidates.h"

#include <algorithm>

#include "analyzer/predict/hopper_tile.h"

namespace ridgepoint {
namespace {

// mma.sync at head dimension 256, a warp for 16 query rows: a thread holds 128 elements of O, half
// of Q in 32 registers, block_n / 2 elements of S and about 47 more: 96 keys take 255, 112 spill.
// One stage of K and V lies beside the other half of Q.
TileCandidate narrow_mma_candidate(std::int64_t block_m, std::int64_t block_n) {
  constexpr std::int64_t d = 256;
  constexpr std::int64_t stages = 1;
  TileCandidate c;
  c.tile = {
      "attention", block_m, block_n, d, stages, 2 * block_m, d * block_m + 2 * d * 2 * block_n};
  c.registers = d / 2 + d / 8 + block_n / 2 + 47;
  c.registers_allowed = 255;
  c.registers_held = std::min<std::int64_t>(c.registers, c.registers_allowed);
  return c;
}

// mma.sync, a warp for 32 query rows: a thread holds head_dim elements of O and block_n of S; Q
// and addresses take about head_dim / 2 + 12 more. The two kernels that exist need 235 at (64, 128)
// and 253 at (128, 48); 64 keys at head_dim 128 spill.
TileCandidate mma_candidate(std::int64_t d, std::int64_t block_m, std::int64_t block_n) {
  constexpr std::int64_t stages = 2;
  TileCandidate c;
  c.tile = {
      "attention", block_m, block_n, d, stages, block_m, 2 * d * (block_m + 2 * stages * block_n)};
  c.registers = d + block_n + d / 2 + 12;
  c.registers_allowed = 255;
  c.registers_held = std::min<std::int64_t>(c.registers, c.registers_allowed);
  return c;
}

// wgmma, a warpgroup for 64 query rows: O head_dim / 2, S block_n / 2, P block_n / 4 and about 28
// more (kernels/attention/hopper/choice.cuh: 96 keys with three warpgroups at head_dim 128 spill,
// 80 do not). setmaxnreg leaves a consumer 240 of two, 160 of three, 112 of four.
TileCandidate wgmma_candidate(std::int64_t d, bool causal, std::int64_t consumers,
                              std::int64_t block_n, std::int64_t smem_limit) {
  const std::int64_t kv_stages = hopper_kv_stages(d, causal, consumers);
  const std::int64_t block_m = 64 * consumers;
  TileCandidate c;
  c.path = MatrixPath::wgmma;
  const std::int64_t two_stages = hopper_smem_bytes(d, block_m, block_n, 2, kv_stages);
  const std::int64_t smem =
      two_stages <= smem_limit ? two_stages : hopper_smem_bytes(d, block_m, block_n, 1, kv_stages);
  c.tile = {"attention", block_m, block_n, d, kv_stages, 128 * (1 + consumers), smem};
  c.registers = d / 2 + block_n / 2 + block_n / 4 + 28;
  c.registers_allowed = consumers == 2 ? 240 : consumers == 3 ? 160 : 112;
  c.registers_held = consumers == 2 ? 168 : consumers == 3 ? 128 : 96;
  return c;
}

}  // namespace

std::vector<TileCandidate> tile_candidates(MatrixPath path, const AttentionShape& shape,
                                           std::int64_t smem_limit) {
  std::vector<TileCandidate> all;
  const std::int64_t d = shape.head_dim;
  const bool wgmma = path == MatrixPath::wgmma;
  for (std::int64_t block_n = 16; block_n <= 256; block_n += 16) {
    if (wgmma) {
      for (const std::int64_t consumers : {2, 3, 4}) {
        all.push_back(wgmma_candidate(d, shape.causal, consumers, block_n, smem_limit));
      }
    } else {
      for (const std::int64_t block_m : {64, 128, 192, 256}) {
        // At 256 V takes the place of half of Q; fewer keys would not fill it.
        if (d != 256) {
          all.push_back(mma_candidate(d, block_m, block_n));
        } else if (2 * block_n >= block_m) {
          all.push_back(narrow_mma_candidate(block_m, block_n));
        }
      }
    }
  }
  return all;
}

}  // namespace ridgepoint
