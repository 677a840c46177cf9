// A CUDA graph with a loop in it: a kernel, then a WHILE node whose body is another kernel, then a
// kernel. The GPU alone decides how often the body runs. Usage: graph_loop_program ROUNDS LAUNCHES.
// Its exit code says whether that many rounds have run: 1 when not, 2 when CUDA refused something.
#include <cstdio>
#include <cstdlib>

namespace {

__global__ void before_loop(unsigned* left, unsigned rounds) {
  *left = rounds;
}

__global__ void one_round(unsigned* left, unsigned* run, cudaGraphConditionalHandle again) {
  ++*run;
  --*left;
  cudaGraphSetConditional(again, *left > 0 ? 1 : 0);
}

__global__ void after_loop(unsigned* launches) {
  ++*launches;
}

bool fine(cudaError_t code) {
  if (code != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(code));
  }
  return code == cudaSuccess;
}

// A kernel of one thread in `graph`, after `previous` unless that is null.
template <class... Parameters, class... Arguments>
bool add_kernel(cudaGraph_t graph, cudaGraphNode_t* node, cudaGraphNode_t previous,
                void (*kernel)(Parameters...), Arguments... arguments) {
  void* pointers[] = {&arguments...};
  cudaKernelNodeParams parameters = {};
  parameters.func = reinterpret_cast<void*>(kernel);
  parameters.gridDim = dim3(1);
  parameters.blockDim = dim3(1);
  parameters.kernelParams = pointers;
  return fine(
      cudaGraphAddKernelNode(node, graph, &previous, previous == nullptr ? 0 : 1, &parameters));
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned rounds = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 5;
  const unsigned launches = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 2;
  unsigned* numbers = nullptr;  // rounds that are left, rounds that have run, launches
  cudaGraph_t graph = nullptr;
  cudaGraphConditionalHandle again = 0;
  if (!fine(cudaMalloc(&numbers, 3 * sizeof(*numbers))) ||
      !fine(cudaMemset(numbers, 0, 3 * sizeof(*numbers))) || !fine(cudaGraphCreate(&graph, 0)) ||
      !fine(cudaGraphConditionalHandleCreate(&again, graph, 1, cudaGraphCondAssignDefault))) {
    return 2;
  }
  cudaGraphNode_t first = nullptr;
  cudaGraphNode_t loop = nullptr;
  cudaGraphNode_t in_loop = nullptr;
  cudaGraphNode_t last = nullptr;
  cudaGraphNodeParams condition = {};
  condition.type = cudaGraphNodeTypeConditional;
  condition.conditional.handle = again;
  condition.conditional.type = cudaGraphCondTypeWhile;
  condition.conditional.size = 1;
  if (!add_kernel(graph, &first, nullptr, before_loop, numbers, rounds) ||
      !fine(cudaGraphAddNode(&loop, graph, &first, nullptr, 1, &condition)) ||
      !add_kernel(condition.conditional.phGraph_out[0], &in_loop, nullptr, one_round, numbers,
                  numbers + 1, again) ||
      !add_kernel(graph, &last, loop, after_loop, numbers + 2)) {
    return 2;
  }
  cudaGraphExec_t ready = nullptr;
  cudaStream_t stream = nullptr;
  if (!fine(cudaGraphInstantiate(&ready, graph, 0)) || !fine(cudaStreamCreate(&stream))) {
    return 2;
  }
  for (unsigned launch = 0; launch < launches; ++launch) {
    if (!fine(cudaGraphLaunch(ready, stream))) {
      return 2;
    }
  }
  unsigned found[3] = {};
  if (!fine(cudaStreamSynchronize(stream)) ||
      !fine(cudaMemcpy(found, numbers, sizeof(found), cudaMemcpyDeviceToHost))) {
    return 2;
  }
  std::printf("rounds %u launches %u\n", found[1], found[2]);
  return found[1] == rounds * launches && found[2] == launches ? 0 : 1;
}
