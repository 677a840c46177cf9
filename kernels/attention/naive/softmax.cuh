// Second naive kernel: P = softmax(S) and the LSE, one group of threads a row.
//
// A row is read once into registers (keys_per_thread elements a thread) and written once. Rows
// longer than a block can hold take the streaming kernel, which reads S twice: once for maximum and
// sum, once to write P.
#pragma once

#include "kernels/attention/device/element.cuh"
#include "kernels/attention/device/ptx.cuh"
#include "kernels/attention/naive/masking.cuh"
#include "kernels/attention/naive/row_reduce.cuh"

namespace ridgepoint::kernels {
namespace naive {

constexpr float log2_e = 1.4426950408889634F;
constexpr int softmax_vectors = keys_per_thread / 8;  // of 16 bytes, held by a thread

// One row of S and P as this kernel sees it.
template <typename T>
struct SoftmaxRow {
  const uint4* scores;
  uint4* probabilities;
  int visible;          // keys the row sees; later scores are not used
  int visible_vectors;  // vectors that hold one
  int written_vectors;  // vectors of P that the third kernel reads

  __device__ __forceinline__ SoftmaxRow(const Arguments& p, std::int64_t row) {
    const int query = static_cast<int>(row % p.seqlen_q);
    scores = reinterpret_cast<const uint4*>(static_cast<const T*>(p.scores) + row * p.row_stride);
    probabilities = reinterpret_cast<uint4*>(static_cast<T*>(p.probabilities) + row * p.row_stride);
    visible = visible_keys(p, query);
    visible_vectors = (visible + 7) / 8;
    written_vectors = (tile_keys(p, query) + 7) / 8;
  }

  // Eight scores, -inf from the first key that the row does not see.
  __device__ __forceinline__ uint4 load(int vector) const {
    constexpr std::uint32_t masked = device::Element<T>::minus_infinity_pair;
    if (vector >= visible_vectors) {
      return make_uint4(masked, masked, masked, masked);
    }
    uint4 x = __ldcs(scores + vector);
    const int left = visible - vector * 8;
    if (left < 8) {
      std::uint32_t* const pairs = &x.x;
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        if (left <= 2 * i) {
          pairs[i] = masked;
        } else if (left == 2 * i + 1) {
          pairs[i] = (pairs[i] & 0x0000FFFFU) | (masked & 0xFFFF0000U);
        }
      }
    }
    return x;
  }
};

template <typename T>
__device__ __forceinline__ void unpack8(const uint4& x, float (&f)[8]) {
  const std::uint32_t pairs[4] = {x.x, x.y, x.z, x.w};
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const float2 pair = device::Element<T>::unpack(pairs[i]);
    f[2 * i] = pair.x;
    f[2 * i + 1] = pair.y;
  }
}

__device__ __forceinline__ float max8(const float (&f)[8]) {
  return fmaxf(fmaxf(fmaxf(f[0], f[1]), fmaxf(f[2], f[3])),
               fmaxf(fmaxf(f[4], f[5]), fmaxf(f[6], f[7])));
}

// Turns scores into exp(score - max), offset being -max * log2(e), and returns their sum.
__device__ __forceinline__ float exponentiate8(float (&f)[8], float offset) {
  float sum = 0.0F;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    f[i] = device::fast_exp2(fmaf(f[i], log2_e, offset));
    sum += f[i];
  }
  return sum;
}

template <typename T>
__device__ __forceinline__ void store_probabilities(uint4* destination, const float (&f)[8],
                                                    float inverse) {
  std::uint32_t pairs[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    pairs[i] = device::Element<T>::pack(f[2 * i] * inverse, f[2 * i + 1] * inverse);
  }
  __stcs(destination, make_uint4(pairs[0], pairs[1], pairs[2], pairs[3]));
}

// Rows that see no key have a sum of 0: P = 0 and LSE = -inf.
__device__ __forceinline__ float inverse_of(float sum) {
  return sum == 0.0F ? 0.0F : 1.0F / sum;
}
__device__ __forceinline__ float offset_of(float max) {
  return max == -INFINITY ? 0.0F : -max * log2_e;
}
__device__ __forceinline__ float lse_of(float max, float sum) {
  return sum == 0.0F ? -INFINITY : max + logf(sum);
}

}  // namespace naive

// RowThreads threads share a row; a block has 256 threads or, if a row needs more, one row.
template <typename T, int RowThreads>
__global__ void __launch_bounds__(RowThreads > 256 ? RowThreads : 256)
    naive_softmax(const naive::Arguments p) {
  constexpr int rows_per_block = RowThreads > 256 ? 1 : 256 / RowThreads;
  const int thread = static_cast<int>(threadIdx.x) % RowThreads;
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * rows_per_block +
                           static_cast<int>(threadIdx.x) / RowThreads;
  if (row >= p.query_heads * p.seqlen_q) {
    return;  // whole warps only: with several warps a row there is one row a block
  }
  const naive::SoftmaxRow<T> data(p, row);
  const naive::RowReduce<RowThreads> reduce;

  uint4 packed[naive::softmax_vectors];  // all loads are under way before the first is used
#pragma unroll
  for (int i = 0; i < naive::softmax_vectors; ++i) {
    packed[i] = data.load(i * RowThreads + thread);
  }
  float held[naive::softmax_vectors][8];
  float max = -INFINITY;
#pragma unroll
  for (int i = 0; i < naive::softmax_vectors; ++i) {
    naive::unpack8<T>(packed[i], held[i]);
    max = fmaxf(max, naive::max8(held[i]));
  }
  max = reduce.max(max);
  const float offset = naive::offset_of(max);
  float sum = 0.0F;
#pragma unroll
  for (int i = 0; i < naive::softmax_vectors; ++i) {
    sum += naive::exponentiate8(held[i], offset);
  }
  sum = reduce.sum(sum);
  const float inverse = naive::inverse_of(sum);
#pragma unroll
  for (int i = 0; i < naive::softmax_vectors; ++i) {
    const int vector = i * RowThreads + thread;
    if (vector < data.written_vectors) {
      naive::store_probabilities<T>(data.probabilities + vector, held[i], inverse);
    }
  }
  if (p.lse != nullptr && thread == 0) {
    p.lse[row] = naive::lse_of(max, sum);
  }
}

// One row a block of RowThreads threads, of any length.
template <typename T, int RowThreads>
__global__ void __launch_bounds__(RowThreads) naive_softmax_streaming(const naive::Arguments p) {
  const int thread = static_cast<int>(threadIdx.x);
  const std::int64_t row = blockIdx.x;
  const naive::SoftmaxRow<T> data(p, row);
  const naive::RowReduce<RowThreads> reduce;

  float max = -INFINITY;
  float sum = 0.0F;
  for (int vector = thread; vector < data.visible_vectors; vector += RowThreads) {
    float f[8];
    naive::unpack8<T>(data.load(vector), f);
    const float next = fmaxf(max, naive::max8(f));
    if (next > -INFINITY) {
      sum = sum * device::fast_exp2((max - next) * naive::log2_e) +
            naive::exponentiate8(f, naive::offset_of(next));
    }
    max = next;
  }
  const float row_max = reduce.max(max);
  const float offset = naive::offset_of(row_max);
  sum = reduce.sum(sum == 0.0F ? 0.0F : sum * device::fast_exp2((max - row_max) * naive::log2_e));
  const float inverse = naive::inverse_of(sum);
  for (int vector = thread; vector < data.written_vectors; vector += RowThreads) {
    float f[8];
    naive::unpack8<T>(data.load(vector), f);
    naive::exponentiate8(f, offset);
    naive::store_probabilities<T>(data.probabilities + vector, f, inverse);
  }
  if (p.lse != nullptr && thread == 0) {
    p.lse[row] = naive::lse_of(row_max, sum);
  }
}

}  // namespace ridgepoint::kernels
