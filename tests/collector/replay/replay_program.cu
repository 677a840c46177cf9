// A program whose results are wrong as soon as a kernel runs once too often, or does not get its
// memory back. Its exit code says whether they are right. Usage: replay_program PART
//   state    kernels that add to their own output, to a __device__ variable, and read __constant__
//            memory that changes from launch to launch
//   lazy     a kernel whose code and variable are first loaded by its launch
//   pause    as state, and works on the host after its first launch
//   alloc    memory that is allocated and freed between the launches, both ways
//   capture  launches recorded into a graph
//   spin     a kernel that waits for another, which is launched after it
//   host     a kernel that adds to host memory
#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

namespace {

__device__ unsigned runs;
__constant__ float step;

__global__ void add_step(float* values, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) {
    values[i] += step;
  }
  if (i == 0) {
    ++runs;
  }
}

__global__ void add_one(unsigned* value) {
  ++*value;
}

__device__ unsigned tally;
__global__ void count() {
  ++tally;
}

__global__ void wait_for(volatile unsigned* flag, unsigned* seen) {
  while (*flag == 0) {
  }
  ++*seen;
}

__global__ void raise_flag(unsigned* flag) {
  *flag = 1;
}

constexpr int n = 1 << 20;
constexpr int rounds = 40;

bool fine(cudaError_t code) {
  if (code != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(code));
  }
  return code == cudaSuccess;
}

bool first_is(const float* values, float expected) {
  float got = 0;
  return fine(cudaMemcpy(&got, values + n - 1, sizeof(got), cudaMemcpyDeviceToHost)) &&
         got == expected;
}

template <class T>
bool is(const T* device, T expected) {
  T got = 0;
  return fine(cudaMemcpy(&got, device, sizeof(got), cudaMemcpyDeviceToHost)) && got == expected;
}

// `pause`: after the first launch, in which a profiler may do what it likes.
bool state(std::chrono::milliseconds pause) {
  float* values = nullptr;
  if (!fine(cudaMalloc(&values, n * sizeof(float))) ||
      !fine(cudaMemset(values, 0, n * sizeof(float)))) {
    return false;
  }
  float sum = 0;
  for (int round = 0; round < rounds; ++round) {
    const float now = static_cast<float>(round);
    sum += now;
    cudaMemcpyToSymbol(step, &now, sizeof(now));
    add_step<<<n / 256, 256>>>(values, n);
    if (round == 0) {
      std::this_thread::sleep_for(pause);
    }
  }
  unsigned counted = 0;
  cudaMemcpyFromSymbol(&counted, runs, sizeof(counted));
  std::printf("ran %u times\n", counted);
  return first_is(values, sum) && counted == rounds;
}

// More launches than a batch, so that some have run again when the variable is read.
bool lazy() {
  for (int round = 0; round < rounds; ++round) {
    count<<<1, 1>>>();
  }
  unsigned counted = 0;
  return fine(cudaMemcpyFromSymbol(&counted, tally, sizeof(counted))) && counted == rounds;
}

bool alloc() {
  const float one = 1;
  cudaMemcpyToSymbol(step, &one, sizeof(one));
  for (int round = 0; round < rounds / 4; ++round) {
    float* values = nullptr;
    const bool pooled = round % 2 != 0;
    if (!fine(pooled ? cudaMallocAsync(&values, n * sizeof(float), nullptr)
                     : cudaMalloc(&values, n * sizeof(float)))) {
      return false;
    }
    cudaMemsetAsync(values, 0, n * sizeof(float));
    add_step<<<n / 256, 256>>>(values, n);
    add_step<<<n / 256, 256>>>(values, n);
    if (!first_is(values, 2) || !fine(pooled ? cudaFreeAsync(values, nullptr) : cudaFree(values))) {
      return false;
    }
  }
  return true;
}

bool capture() {
  unsigned* value = nullptr;
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  if (!fine(cudaMalloc(&value, sizeof(*value))) || !fine(cudaMemset(value, 0, sizeof(*value))) ||
      !fine(cudaStreamCreate(&stream))) {
    return false;
  }
  add_one<<<1, 1, 0, stream>>>(value);
  if (!fine(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal))) {
    return false;
  }
  add_one<<<1, 1, 0, stream>>>(value);
  add_one<<<1, 1, 0, stream>>>(value);
  if (!fine(cudaStreamEndCapture(stream, &graph)) ||
      !fine(cudaGraphInstantiate(&ready, graph, 0)) || !fine(cudaGraphLaunch(ready, stream)) ||
      !fine(cudaGraphLaunch(ready, stream))) {
    return false;
  }
  add_one<<<1, 1, 0, stream>>>(value);
  cudaStreamSynchronize(stream);
  return is(value, 6U);
}

bool spin() {
  unsigned* memory = nullptr;
  cudaStream_t first = nullptr;
  cudaStream_t second = nullptr;
  if (!fine(cudaMalloc(&memory, 2 * sizeof(*memory))) ||
      !fine(cudaMemset(memory, 0, 2 * sizeof(*memory))) ||
      !fine(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking)) ||
      !fine(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking))) {
    return false;
  }
  cudaDeviceSynchronize();
  wait_for<<<1, 1, 0, first>>>(memory, memory + 1);
  raise_flag<<<1, 1, 0, second>>>(memory);
  cudaDeviceSynchronize();
  return is(memory, 1U) && is(memory + 1, 1U);
}

bool host() {
  unsigned* value = nullptr;
  if (!fine(cudaHostAlloc(&value, sizeof(*value), cudaHostAllocMapped))) {
    return false;
  }
  *value = 0;
  add_one<<<1, 1>>>(value);
  add_one<<<1, 1>>>(value);
  return fine(cudaDeviceSynchronize()) && *value == 2;
}

}  // namespace

int main(int argc, char** argv) {
  const char* part = argc > 1 ? argv[1] : "state";
  bool right = false;
  if (std::strcmp(part, "state") == 0) {
    right = state(std::chrono::milliseconds(0));
  } else if (std::strcmp(part, "pause") == 0) {
    right = state(std::chrono::milliseconds(800));
  } else if (std::strcmp(part, "lazy") == 0) {
    right = lazy();
  } else if (std::strcmp(part, "alloc") == 0) {
    right = alloc();
  } else if (std::strcmp(part, "capture") == 0) {
    right = capture();
  } else if (std::strcmp(part, "spin") == 0) {
    right = spin();
  } else if (std::strcmp(part, "host") == 0) {
    right = host();
  }
  std::printf("%s %s\n", part, right ? "right" : "wrong");
  return right ? 0 : 1;
}
