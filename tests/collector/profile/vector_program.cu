// A plain CUDA program that knows nothing of the profiler: two kernels over vectors, in NVTX
// ranges. Usage: vector_program [ELEMENTS [ROUNDS]]. Its exit code says whether the sums are right.
#include <nvtx3/nvToolsExt.h>

#include <cstdio>
#include <cstdlib>

namespace {

__global__ void add_vectors(const float* a, const float* b, float* c, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) {
    c[i] = a[i] + b[i];
  }
}

__global__ void scale_vector(float* a, float factor, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) {
    a[i] *= factor;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1 << 24;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 10;
  const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(float);
  float* a = nullptr;
  float* b = nullptr;
  float* c = nullptr;
  if (cudaMalloc(&a, bytes) != cudaSuccess || cudaMalloc(&b, bytes) != cudaSuccess ||
      cudaMalloc(&c, bytes) != cudaSuccess) {
    return 2;
  }
  const float one = 1;
  cudaMemset(a, 0, bytes);
  cudaMemset(b, 0, bytes);
  cudaMemcpy(a, &one, sizeof(one), cudaMemcpyHostToDevice);
  const int threads = 256;
  const int blocks = (n + threads - 1) / threads;
  for (int i = 0; i < rounds; ++i) {
    nvtxRangePushA("round");
    add_vectors<<<blocks, threads>>>(a, b, c, n);
    nvtxRangePushA("scale");
    scale_vector<<<blocks, threads>>>(c, 3.0F, n);
    nvtxRangePop();
    nvtxRangePop();
  }
  float first = 0;
  if (cudaMemcpy(&first, c, sizeof(first), cudaMemcpyDeviceToHost) != cudaSuccess) {
    return 2;
  }
  std::printf("first sum %.1f\n", static_cast<double>(first));
  return first == 3 * one ? 0 : 1;
}
