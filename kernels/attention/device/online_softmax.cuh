// Online softmax on the accumulator layout of mma (FlashAttention-2, arXiv 2307.08691, algorithm
// 1).
//
// Life cycle: RowState starts at (-inf, 0); for every key tile `mask_scores` where needed, then
// `update` turns scores into unnormalised probabilities and rescales what was accumulated; at the
// end `quad_sum` adds up the four lanes that share a row.
#pragma once

#include "kernels/attention/device/element.cuh"
#include "kernels/attention/device/exponential.cuh"

namespace ridgepoint::kernels::device {

// Rows l/4 and l/4 + 8 of each of the warp's row tiles.
template <int RowTiles>
struct RowState {
  float max[RowTiles][2];  // of the raw scores, before the softmax scale
  float sum[RowTiles][2];  // of this lane's columns only

  __device__ __forceinline__ RowState() {
#pragma unroll
    for (int t = 0; t < RowTiles; ++t) {
      max[t][0] = max[t][1] = -INFINITY;
      sum[t][0] = sum[t][1] = 0.0F;
    }
  }
};

// Sets scores to -inf from column visible_keys(row) on; row counts from the warp's first.
template <int RowTiles, int ColumnTiles, class VisibleKeys>
__device__ __forceinline__ void mask_scores(float (&s)[RowTiles][ColumnTiles][4],
                                            VisibleKeys visible_keys, int first_key, int lane) {
#pragma unroll
  for (int t = 0; t < RowTiles; ++t) {
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      // Counted from this lane's first column, so that the comparisons are with constants.
      const int visible = visible_keys(16 * t + 8 * r + lane / 4) - first_key - 2 * (lane & 3);
#pragma unroll
      for (int c = 0; c < ColumnTiles; ++c) {
        s[t][c][2 * r] = 8 * c < visible ? s[t][c][2 * r] : -INFINITY;
        s[t][c][2 * r + 1] = 8 * c + 1 < visible ? s[t][c][2 * r + 1] : -INFINITY;
      }
    }
  }
}

// scale_log2 = softmax scale * log2(e) > 0, so the maximum of raw scores is that of the scaled
// ones. A row may have seen no key yet: its maximum of -inf is replaced by 0, which gives
// exp2(-inf) = 0 instead of exp2(-inf + inf) = NaN.
template <typename T, int RowTiles, int ColumnTiles, int OutputTiles>
__device__ __forceinline__ void update(RowState<RowTiles>& state,
                                       const float (&s)[RowTiles][ColumnTiles][4],
                                       std::uint32_t (&p)[RowTiles][ColumnTiles][2],
                                       float (&output)[RowTiles][OutputTiles][4],
                                       float scale_log2) {
#pragma unroll
  for (int t = 0; t < RowTiles; ++t) {
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      float row_max = state.max[t][r];
#pragma unroll
      for (int c = 0; c < ColumnTiles; ++c) {
        row_max = fmaxf(row_max, fmaxf(s[t][c][2 * r], s[t][c][2 * r + 1]));
      }
      row_max = quad_max(row_max);
      const float base = row_max == -INFINITY ? 0.0F : row_max;
      const float rescale = fast_exp2((state.max[t][r] - base) * scale_log2);
      const float offset = -base * scale_log2;
      state.max[t][r] = row_max;
      float sum = 0.0F;
#pragma unroll
      for (int c = 0; c < ColumnTiles; ++c) {
        const float even = fast_exp2(fmaf(s[t][c][2 * r], scale_log2, offset));
        const float odd = fast_exp2(fmaf(s[t][c][2 * r + 1], scale_log2, offset));
        sum += even + odd;
        p[t][c][r] = Element<T>::pack(even, odd);
      }
      state.sum[t][r] = fmaf(state.sum[t][r], rescale, sum);
#pragma unroll
      for (int c = 0; c < OutputTiles; ++c) {
        output[t][c][2 * r] *= rescale;
        output[t][c][2 * r + 1] *= rescale;
      }
    }
  }
}

}  // namespace ridgepoint::kernels::device
