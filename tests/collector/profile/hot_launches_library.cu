// A library with a CUDA runtime of its own, as many are: what hot_launches_program loads late.
__global__ void from_library(int* sum) {
  atomicAdd(sum, 1);
}

// The sum that so many launches have made; -1 when something failed.
extern "C" __attribute__((visibility("default"))) int launch_from_library(int launches) {
  int* sum = nullptr;
  int value = -1;
  if (cudaMalloc(&sum, sizeof(int)) != cudaSuccess ||
      cudaMemset(sum, 0, sizeof(int)) != cudaSuccess) {
    return -1;
  }
  for (int i = 0; i < launches; ++i) {
    from_library<<<1, 1>>>(sum);
  }
  return cudaMemcpy(&value, sum, sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess ? value : -1;
}
