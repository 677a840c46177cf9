// Merges what the warps of a thread block have of the same rows, and writes the result: O and the
// LSE where the keys are in one part, else the part's O in FP32 with its maximum and sum.
//
// Each warp has summed over its own keys with its own maximum. With m the greatest of them, a
// warp's O counts exp(own - m) times, and so does its sum. The sums are added in the order of the
// warps, so that repeats give the same bits.
#pragma once

#include "kernels/attention/device/online_softmax.cuh"
#include "kernels/attention/split_kv/log_sum.cuh"
#include "kernels/attention/split_kv/work.cuh"

namespace ridgepoint::kernels::split_kv {

template <class Traits>
class Merge {
 public:
  __device__ __forceinline__ Merge(const Arguments& p, const Work<Traits>& work,
                                   unsigned char* shared)
      : p_(p),
        work_(work),
        o_(reinterpret_cast<float*>(shared)),
        max_(reinterpret_cast<float*>(shared + Traits::sums_offset)),
        sum_(max_ + Traits::o_rows) {}

  // All threads have left shared memory.
  __device__ __forceinline__ void write(const float (&output)[1][Traits::head_dim / 8][4],
                                        const device::RowState<1>& state) const {
    const int thread = static_cast<int>(threadIdx.x);
    const int lane = thread % 32;
    const int warp = thread / 32;
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      const float sum = device::quad_sum(state.sum[0][r]);
      if (lane % 4 == 0) {
        max_[16 * warp + 8 * r + lane / 4] = state.max[0][r];
        sum_[16 * warp + 8 * r + lane / 4] = sum;
      }
    }
    __syncthreads();
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      const int row = 8 * r + lane / 4;
      const int first = 16 * (warp - warp % Traits::warps_n) + row;  // of the first warp's copy
      float max = -INFINITY;
#pragma unroll
      for (int w = 0; w < Traits::warps_n; ++w) {
        max = fmaxf(max, max_[first + 16 * w]);
      }
      const float base = max == -INFINITY ? 0.0F : max;
      const float scale_log2 = p_.scale * device::log2_e;
      float sum = 0.0F;
#pragma unroll
      for (int w = 0; w < Traits::warps_n; ++w) {
        sum += sum_[first + 16 * w] * device::fast_exp2((max_[first + 16 * w] - base) * scale_log2);
      }
      const float inverse = sum == 0.0F ? 0.0F : 1.0F / sum;
      const float factor = inverse * device::fast_exp2((state.max[0][r] - base) * scale_log2);
      float* const target = o_ + (16 * warp + row) * Traits::o_stride + 2 * (lane % 4);
#pragma unroll
      for (int c = 0; c < Traits::head_dim / 8; ++c) {
        *reinterpret_cast<float2*>(target + 8 * c) =
            make_float2(output[0][c][2 * r] * factor, output[0][c][2 * r + 1] * factor);
      }
      const int tile_row = 16 * (warp / Traits::warps_n) + row;
      if (warp % Traits::warps_n == 0 && lane % 4 == 0 && tile_row < work_.rows) {
        write_sum(work_.query_row(p_, tile_row), max, sum);
      }
    }
    __syncthreads();
    write_rows(thread);
  }

 private:
  __device__ __forceinline__ void write_sum(std::int64_t query_row, float max, float sum) const {
    if (p_.parts > 1) {
      p_.partials[work_.part * p_.rows + query_row] = {max, sum};
    } else if (p_.lse != nullptr) {
      p_.lse[query_row] = log_sum(max, sum, p_.scale);
    }
  }

  // Neighbouring threads take neighbouring elements of a row, four each.
  __device__ __forceinline__ void write_rows(int thread) const {
    constexpr int fours = Traits::head_dim / 4;
#pragma unroll 1
    for (int i = thread; i < work_.rows * fours; i += Traits::threads) {
      const int row = i / fours;
      const int column = i % fours * 4;
      const float* const copy =
          o_ + (row / 16 * Traits::warps_n * 16 + row % 16) * Traits::o_stride + column;
      float4 sum = *reinterpret_cast<const float4*>(copy);
#pragma unroll
      for (int w = 1; w < Traits::warps_n; ++w) {
        const float4 more = *reinterpret_cast<const float4*>(copy + w * 16 * Traits::o_stride);
        sum = make_float4(sum.x + more.x, sum.y + more.y, sum.z + more.z, sum.w + more.w);
      }
      const std::int64_t query_row = work_.query_row(p_, row);
      if (p_.parts > 1) {
        *reinterpret_cast<float4*>(
            p_.partial_o + (work_.part * p_.rows + query_row) * Traits::head_dim + column) = sum;
      } else {
        using E = device::Element<typename Traits::Element>;
        *reinterpret_cast<uint2*>(static_cast<typename Traits::Element*>(p_.o) +
                                  query_row * Traits::head_dim + column) =
            make_uint2(E::pack(sum.x, sum.y), E::pack(sum.z, sum.w));
      }
    }
  }

  const Arguments& p_;
  const Work<Traits>& work_;
  float* o_;    // [warp][16][o_stride]
  float* max_;  // [warp][16], of the raw scores
  float* sum_;
};

}  // namespace ridgepoint::kernels::split_kv
