// Several threads launch at once, then the device is reset and used again, also by a CUDA graph:
// what a program may do after a profiler has left it. Its exit code says whether the sums are
// right. Usage: threads_program [LAUNCHES of each thread]
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

__global__ void add_one(int* value) {
  atomicAdd(value, 1);
}

// The value after so many launches; -1 when something failed.
int count_in_own_stream(int launches) {
  int* value = nullptr;
  cudaStream_t stream = nullptr;
  int result = -1;
  if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess ||
      cudaMalloc(&value, sizeof(int)) != cudaSuccess ||
      cudaMemsetAsync(value, 0, sizeof(int), stream) != cudaSuccess) {
    return -1;
  }
  for (int i = 0; i < launches; ++i) {
    add_one<<<1, 1, 0, stream>>>(value);
  }
  if (cudaMemcpyAsync(&result, value, sizeof(int), cudaMemcpyDeviceToHost, stream) != cudaSuccess ||
      cudaStreamSynchronize(stream) != cudaSuccess || cudaFree(value) != cudaSuccess ||
      cudaStreamDestroy(stream) != cudaSuccess) {
    return -1;
  }
  return result;
}

bool threads_count(int launches) {
  constexpr int threads = 4;
  std::vector<int> results(threads, 0);
  std::vector<std::thread> workers;
  for (int t = 0; t < threads; ++t) {
    workers.emplace_back([&results, t, launches] { results[t] = count_in_own_stream(launches); });
  }
  bool right = true;
  for (int t = 0; t < threads; ++t) {
    workers[t].join();
    right = right && results[t] == launches;
  }
  return right;
}

bool graph_counts() {
  constexpr int launches = 10;
  int* value = nullptr;
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  if (cudaStreamCreate(&stream) != cudaSuccess || cudaMalloc(&value, sizeof(int)) != cudaSuccess ||
      cudaMemset(value, 0, sizeof(int)) != cudaSuccess ||
      cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) != cudaSuccess) {
    return false;
  }
  add_one<<<1, 1, 0, stream>>>(value);
  if (cudaStreamEndCapture(stream, &graph) != cudaSuccess ||
      cudaGraphInstantiate(&ready, graph, 0) != cudaSuccess) {
    return false;
  }
  for (int i = 0; i < launches; ++i) {
    cudaGraphLaunch(ready, stream);
  }
  int result = -1;
  return cudaStreamSynchronize(stream) == cudaSuccess &&
         cudaMemcpy(&result, value, sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess &&
         result == launches;
}

}  // namespace

int main(int argc, char** argv) {
  const int launches = argc > 1 ? std::atoi(argv[1]) : 2000;
  const bool before = threads_count(launches);
  const bool reset = cudaDeviceReset() == cudaSuccess;
  const bool after = threads_count(launches);
  const bool graph = graph_counts();
  std::printf("before %d reset %d after %d graph %d\n", before, reset, after, graph);
  return before && reset && after && graph ? 0 : 1;
}
