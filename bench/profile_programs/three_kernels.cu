// A plain CUDA program with three kernels of different kinds, each long enough that what a profiler
// does around it weighs little: a copy, a matrix product in FP32 through shared memory, and one on
// the tensor cores through WMMA. Usage: three_kernels [ROUNDS [clean]]; with `clean` a fourth
// kernel reads 256 MiB before each of them, so that none finds L2 with lines to be written back.
// Its exit code says whether the results are right: 0 right, 1 wrong, 2 when CUDA failed.
#include <cuda_fp16.h>
#include <mma.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

constexpr int size = 2048;  // of the square matrices
constexpr int tile = 32;
constexpr int fragment = 16;      // WMMA's m, n and k
constexpr int warps_a_block = 4;  // each makes two fragments beside each other
constexpr std::size_t copied = std::size_t{1}
                               << 26;  // floats: 256 MiB, four times the L2 of an H200

__global__ void copy(const float4* from, float4* to, std::size_t count) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) {
    to[i] = from[i];
  }
}

// Writes nothing: no value read is negative.
__global__ void read_all(const float4* from, float* sink, std::size_t count) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count && from[i].x < 0) {
    *sink = 1;
  }
}

__global__ void product_shared(const float* a, const float* b, float* c) {
  __shared__ float tile_a[tile][tile];
  __shared__ float tile_b[tile][tile];
  const unsigned row = blockIdx.y * tile + threadIdx.y;
  const unsigned column = blockIdx.x * tile + threadIdx.x;
  float sum = 0;
  for (unsigned k = 0; k < size; k += tile) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * size + k + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * size + column];
    __syncthreads();
    for (int i = 0; i < tile; ++i) {
      sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
    }
    __syncthreads();
  }
  c[row * size + column] = sum;
}

__global__ void product_tensor(const __half* a, const __half* b, float* c) {
  using namespace nvcuda::wmma;
  constexpr int columns = 2;  // fragments a warp makes beside each other
  const unsigned warp = threadIdx.x / 32;
  const unsigned row = (blockIdx.y * warps_a_block + warp) * fragment;
  const unsigned column = blockIdx.x * columns * fragment;
  nvcuda::wmma::fragment<accumulator, fragment, fragment, fragment, float> sums[columns];
  for (auto& sum : sums) {
    fill_fragment(sum, 0.0F);
  }
  for (unsigned k = 0; k < size; k += fragment) {
    nvcuda::wmma::fragment<matrix_a, fragment, fragment, fragment, __half, row_major> left;
    load_matrix_sync(left, a + row * size + k, size);
    for (int i = 0; i < columns; ++i) {
      nvcuda::wmma::fragment<matrix_b, fragment, fragment, fragment, __half, row_major> right;
      load_matrix_sync(right, b + k * size + column + i * fragment, size);
      mma_sync(sums[i], left, right, sums[i]);
    }
  }
  for (int i = 0; i < columns; ++i) {
    store_matrix_sync(c + row * size + column + i * fragment, sums[i], size, mem_row_major);
  }
}

// Small whole numbers: every product and sum of them is exact in FP32, the factors in FP16 too.
int left_factor(std::size_t i) {
  return static_cast<int>(i % 7) - 3;
}
int right_factor(std::size_t i) {
  return static_cast<int>(i % 5) - 2;
}

bool right_product(const std::vector<float>& c) {
  constexpr std::size_t step = 9973;  // a prime, so that all rows and columns are met
  for (std::size_t at = 0; at < c.size(); at += step) {
    const std::size_t row = at / size;
    const std::size_t column = at % size;
    int sum = 0;
    for (std::size_t k = 0; k < size; ++k) {
      sum += left_factor(row * size + k) * right_factor(k * size + column);
    }
    if (c[at] != static_cast<float>(sum)) {
      return false;
    }
  }
  return true;
}

// Owns device memory; null when there was none.
template <class T>
class Buffer {
 public:
  explicit Buffer(std::size_t count) : count_(count) {
    if (cudaMalloc(&data_, count * sizeof(T)) != cudaSuccess) {
      data_ = nullptr;
    }
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { cudaFree(data_); }

  T* data() const { return data_; }
  bool write(const std::vector<T>& from) {
    return data_ != nullptr && cudaMemcpy(data_, from.data(), count_ * sizeof(T),
                                          cudaMemcpyHostToDevice) == cudaSuccess;
  }
  std::vector<T> read(std::size_t count) const {
    std::vector<T> to(count);
    if (cudaMemcpy(to.data(), data_, count * sizeof(T), cudaMemcpyDeviceToHost) != cudaSuccess) {
      to.clear();
    }
    return to;
  }

 private:
  std::size_t count_;
  T* data_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 3;
  const bool clean = argc > 2 && std::strcmp(argv[2], "clean") == 0;
  constexpr std::size_t elements = std::size_t{size} * size;
  std::vector<float> left(elements), right(elements), source(copied);
  std::vector<__half> left_half(elements), right_half(elements);
  for (std::size_t i = 0; i < elements; ++i) {
    left[i] = static_cast<float>(left_factor(i));
    right[i] = static_cast<float>(right_factor(i));
    left_half[i] = __float2half(left[i]);
    right_half[i] = __float2half(right[i]);
  }
  for (std::size_t i = 0; i < copied; ++i) {
    source[i] = static_cast<float>(i % 8191);
  }
  Buffer<float> a(elements), b(elements), c(elements), d(elements), from(copied), to(copied);
  Buffer<__half> a_half(elements), b_half(elements);
  if (!a.write(left) || !b.write(right) || !a_half.write(left_half) || !b_half.write(right_half) ||
      !from.write(source) || c.data() == nullptr || d.data() == nullptr || to.data() == nullptr) {
    return 2;
  }
  constexpr std::size_t vectors = copied / 4;
  const auto* source_vectors = reinterpret_cast<const float4*>(from.data());
  const auto clean_cache = [&] {
    if (clean) {
      read_all<<<vectors / 256, 256>>>(source_vectors, c.data(), vectors);
    }
  };
  for (int i = 0; i < rounds; ++i) {
    clean_cache();
    copy<<<vectors / 256, 256>>>(source_vectors, reinterpret_cast<float4*>(to.data()), vectors);
    clean_cache();
    product_shared<<<dim3(size / tile, size / tile), dim3(tile, tile)>>>(a.data(), b.data(),
                                                                         c.data());
    clean_cache();
    product_tensor<<<dim3(size / (2 * fragment), size / (warps_a_block * fragment)),
                     warps_a_block * 32>>>(a_half.data(), b_half.data(), d.data());
  }
  if (cudaDeviceSynchronize() != cudaSuccess) {
    return 2;
  }
  const bool same = to.read(copied) == source;
  const bool shared = right_product(c.read(elements));
  const bool tensor = right_product(d.read(elements));
  std::printf("copy %s, shared %s, tensor %s\n", same ? "right" : "wrong",
              shared ? "right" : "wrong", tensor ? "right" : "wrong");
  return same && shared && tensor ? 0 : 1;
}
