// Second naive kernel: P = softmax(S) and the LSE, one group of threads a row.
//
// A row is read once, into shared memory, and written once. A thread block works through several
// rows: the next row is copied while the current one is reduced, so that HBM never waits for a
// reduction. Rows longer than shared memory holds take the streaming kernel, which reads S twice:
// once for maximum and sum, once to write P.
#pragma once

#include "kernels/attention/device/element.cuh"
#include "kernels/attention/device/exponential.cuh"
#include "kernels/attention/device/ptx.cuh"
#include "kernels/attention/naive/masking.cuh"
#include "kernels/attention/naive/row_reduce.cuh"

namespace ridgepoint::kernels {
namespace naive {

template <int RowThreads>
constexpr int held_vectors = softmax_vectors(RowThreads);
template <int RowThreads>
constexpr int held_rows = softmax_stages(RowThreads);
constexpr int softmax_groups = 8;  // row groups that a thread block works through

// One row of S and P as this kernel sees it.
template <typename T>
struct SoftmaxRow {
  const uint4* scores;
  uint4* probabilities;
  int visible;          // keys the row sees; later scores are not used
  int visible_vectors;  // vectors that hold one
  int written_vectors;  // vectors of P that the third kernel reads

  __device__ __forceinline__ SoftmaxRow(const Arguments& p, std::int64_t row) {
    // 32 bits suffice: the variant refuses more rows than a grid can have.
    const int query =
        static_cast<int>(static_cast<std::uint32_t>(row) % static_cast<std::uint32_t>(p.seqlen_q));
    scores = reinterpret_cast<const uint4*>(static_cast<const T*>(p.scores) + row * p.row_stride);
    probabilities = reinterpret_cast<uint4*>(static_cast<T*>(p.probabilities) + row * p.row_stride);
    visible = visible_keys(p, query);
    visible_vectors = (visible + 7) / 8;
    written_vectors = (tile_keys(p, query) + 7) / 8;
  }

  // Eight scores as read, with -inf from the first key that the row does not see.
  __device__ __forceinline__ uint4 masked(uint4 x, int vector) const {
    constexpr std::uint32_t minus_infinity = device::Element<T>::minus_infinity_pair;
    const int left = visible - vector * 8;
    if (left >= 8) {
      return x;
    }
    std::uint32_t pairs[4] = {x.x, x.y, x.z, x.w};
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if (left <= 2 * i) {
        pairs[i] = minus_infinity;
      } else if (left == 2 * i + 1) {
        pairs[i] = (pairs[i] & 0x0000FFFFU) | (minus_infinity & 0xFFFF0000U);
      }
    }
    return make_uint4(pairs[0], pairs[1], pairs[2], pairs[3]);
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
    f[i] = device::fast_exp2(fmaf(f[i], device::log2_e, offset));
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
  return max == -INFINITY ? 0.0F : -max * device::log2_e;
}
__device__ __forceinline__ float lse_of(float max, float sum) {
  return sum == 0.0F ? -INFINITY : max + logf(sum);
}

}  // namespace naive

// RowThreads threads share a row; a block has 256 threads or, if a row needs more, one row at a
// time.
template <typename T, int RowThreads>
__global__ void __launch_bounds__(RowThreads > 256 ? RowThreads : 256)
    naive_softmax(const naive::Arguments p) {
  constexpr int threads = RowThreads > 256 ? RowThreads : 256;
  constexpr int rows_per_group = threads / RowThreads;
  constexpr int vectors = naive::held_vectors<RowThreads>;
  constexpr int stages = naive::held_rows<RowThreads>;
  extern __shared__ __align__(16) unsigned char shared[];
  const int thread = static_cast<int>(threadIdx.x) % RowThreads;
  const std::int64_t rows = p.query_heads * p.seqlen_q;
  const std::int64_t first =
      static_cast<std::int64_t>(blockIdx.x) * naive::softmax_groups * rows_per_group +
      static_cast<int>(threadIdx.x) / RowThreads;
  const naive::RowReduce<RowThreads> reduce;

  // Each thread reads only what it copied itself, so that no barrier is needed between the two.
  const auto slot = [&](int group, int i) {
    return shared + ((group % stages * vectors + i) * threads + static_cast<int>(threadIdx.x)) * 16;
  };
  const auto prefetch = [&](int group) {
    const std::int64_t row = first + group * rows_per_group;
    if (group < naive::softmax_groups && row < rows) {
      const naive::SoftmaxRow<T> data(p, row);
#pragma unroll
      for (int i = 0; i < vectors; ++i) {
        const int vector = i * RowThreads + thread;
        if (vector < data.visible_vectors) {
          device::copy_async_16(device::shared_address(slot(group, i)), data.scores + vector, true);
        }
      }
    }
    device::commit_copies();
  };

  if (stages == 2) {
    prefetch(0);
  }
  // Whole warps leave together: several warps share a row only where a block has one row at a time.
  for (int group = 0; group < naive::softmax_groups; ++group) {
    const std::int64_t row = first + group * rows_per_group;
    if (row >= rows) {
      return;
    }
    prefetch(stages == 2 ? group + 1 : group);
    device::wait_copies<stages - 1>();
    const naive::SoftmaxRow<T> data(p, row);
    const auto scores = [&](float(&f)[8], int i) {
      const int vector = i * RowThreads + thread;
      naive::unpack8<T>(data.masked(device::reread_shared(slot(group, i)), vector), f);
    };

    float max = -INFINITY;
#pragma unroll
    for (int i = 0; i < vectors; ++i) {
      if (i * RowThreads + thread < data.visible_vectors) {
        float f[8];
        scores(f, i);
        max = fmaxf(max, naive::max8(f));
      }
    }
    max = reduce.max(max);
    const float offset = naive::offset_of(max);
    float sum = 0.0F;
#pragma unroll
    for (int i = 0; i < vectors; ++i) {
      if (i * RowThreads + thread < data.visible_vectors) {
        float f[8];
        scores(f, i);
        sum += naive::exponentiate8(f, offset);
      }
    }
    sum = reduce.sum(sum);
    const float inverse = naive::inverse_of(sum);
#pragma unroll
    for (int i = 0; i < vectors; ++i) {
      const int vector = i * RowThreads + thread;
      if (vector < data.written_vectors) {
        float f[8];
        scores(f, i);
        naive::exponentiate8(f, offset);
        naive::store_probabilities<T>(data.probabilities + vector, f, inverse);
      }
    }
    if (p.lse != nullptr && thread == 0) {
      p.lse[row] = naive::lse_of(max, sum);
    }
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
    naive::unpack8<T>(data.masked(__ldcs(data.scores + vector), vector), f);
    const float next = fmaxf(max, naive::max8(f));
    if (next > -INFINITY) {
      sum = sum * device::fast_exp2((max - next) * device::log2_e) +
            naive::exponentiate8(f, naive::offset_of(next));
    }
    max = next;
  }
  const float row_max = reduce.max(max);
  const float offset = naive::offset_of(row_max);
  sum = reduce.sum(sum == 0.0F ? 0.0F : sum * device::fast_exp2((max - row_max) * device::log2_e));
  const float inverse = naive::inverse_of(sum);
  for (int vector = thread; vector < data.written_vectors; vector += RowThreads) {
    float f[8];
    const uint4 x = vector < data.visible_vectors ? __ldcs(data.scores + vector) : uint4{};
    naive::unpack8<T>(data.masked(x, vector), f);
    naive::exponentiate8(f, offset);
    naive::store_probabilities<T>(data.probabilities + vector, f, inverse);
  }
  if (p.lse != nullptr && thread == 0) {
    p.lse[row] = naive::lse_of(row_max, sum);
  }
}

}  // namespace ridgepoint::kernels
