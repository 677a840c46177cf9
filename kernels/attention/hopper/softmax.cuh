// Online softmax on the accumulators of one warpgroup product (FlashAttention-2, arXiv 2307.08691,
// algorithm 1).
//
// A thread holds two rows, 8 apart; four neighbouring lanes share a row. Accumulator i belongs to
// row (i/2)%2 and column 8*(i/4) + 2*(lane%4) + i%2 (kernels/ptx/wgmma.cuh). The maximum is
// exchanged every step, the sum only at the end.
#pragma once

#include "kernels/attention/device/element.cuh"
#include "kernels/attention/device/exponential.cuh"

namespace ridgepoint::kernels::hopper {

struct RowState {
  float base[2] = {-INFINITY, -INFINITY};  // the raw score that exponents are measured from
  float sum[2] = {0, 0};  // of exp(scale * (score - base)), this lane's columns only
};

// Scores from column limit[r] on become -inf; limits count from this lane's first column, so that
// the comparisons are with constants.
template <int Count>
__device__ __forceinline__ void mask_scores(float (&s)[Count], const int (&limit)[2]) {
#pragma unroll
  for (int i = 0; i < Count; ++i) {
    s[i] = 8 * (i / 4) + i % 2 < limit[i / 2 % 2] ? s[i] : -INFINITY;
  }
}

// Turns scores into unnormalised probabilities and says by what earlier sums must be rescaled.
// scale_log2 = softmax scale * log2(e) > 0, so the maximum of raw scores is that of the scaled
// ones.
//
// The base that exponents are measured from follows the maximum only when that has grown by more
// than 8 powers of two (FlashAttention-4's rule): probabilities stay below 256, which the 16-bit
// formats hold with the same relative precision, the quotient O / sum is the same, and after the
// first steps hardly any needs a rescaling of O.
//
// With MayBeEmpty a row may have seen no key yet: its base of -inf is replaced by 0, which gives
// exp2(-inf) = 0 instead of exp2(-inf + inf) = NaN.
template <bool MayBeEmpty, int Count>
__device__ __forceinline__ void update(RowState& state, float (&s)[Count], float (&rescale)[2],
                                       float scale_log2) {
  // Two chains a row: a warp scheduler has too few warps here to hide one long chain.
  float partial[2][2];
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    partial[r][0] = fmaxf(s[2 * r], s[2 * r + 1]);
    partial[r][1] = fmaxf(s[4 + 2 * r], s[5 + 2 * r]);
  }
#pragma unroll
  for (int i = 8; i < Count; i += 8) {
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      partial[r][0] = fmaxf(partial[r][0], fmaxf(s[i + 2 * r], s[i + 2 * r + 1]));
      partial[r][1] = fmaxf(partial[r][1], fmaxf(s[i + 4 + 2 * r], s[i + 5 + 2 * r]));
    }
  }
  float offset[2];
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    constexpr float slack = 8.0F;  // powers of two
    const float step_max = device::quad_max(fmaxf(partial[r][0], partial[r][1]));
    const bool keep = (step_max - state.base[r]) * scale_log2 <= slack;
    const float new_base = keep ? state.base[r] : step_max;
    const float finite_base = MayBeEmpty && new_base == -INFINITY ? 0.0F : new_base;
    rescale[r] = device::fast_exp2((state.base[r] - finite_base) * scale_log2);
    offset[r] = -finite_base * scale_log2;
    state.base[r] = new_base;
  }
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    partial[r][0] = 0;
    partial[r][1] = 0;
  }
#pragma unroll
  for (int i = 0; i < Count; ++i) {
    s[i] = device::fast_exp2(fmaf(s[i], scale_log2, offset[i / 2 % 2]));
    partial[i / 2 % 2][i / 4 % 2] += s[i];
  }
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    state.sum[r] = fmaf(state.sum[r], rescale[r], partial[r][0] + partial[r][1]);
  }
}

template <typename Element, int Count>
__device__ __forceinline__ void pack_probabilities(const float (&s)[Count],
                                                   std::uint32_t (&p)[Count / 2]) {
#pragma unroll
  for (int i = 0; i < Count / 2; ++i) {
    p[i] = device::Element<Element>::pack(s[2 * i], s[2 * i + 1]);
  }
}

template <int Count>
__device__ __forceinline__ void rescale_rows(float (&o)[Count], const float (&factor)[2]) {
  if (__any_sync(0xFFFFFFFFU, factor[0] != 1.0F || factor[1] != 1.0F) == 0) {
    return;
  }
#pragma unroll
  for (int i = 0; i < Count; ++i) {
    o[i] *= factor[i / 2 % 2];
  }
}

}  // namespace ridgepoint::kernels::hopper
