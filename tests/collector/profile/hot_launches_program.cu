// Launches small kernels as fast as it can: from one thread with a new kernel in the middle, from
// several at once, and from a library that is loaded then. Prints "right" when every sum is, and
// ends with code 3 all the same.
//   hot_launches_program LAUNCHES LIBRARY
// "first" is launched 2 x LAUNCHES times and, by four threads, 4 x LAUNCHES; "second" 100 times;
// the library's "from_library" LAUNCHES times.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

__global__ void first(int* sum) {
  atomicAdd(sum, 1);
}
__global__ void second(int* sum) {
  atomicAdd(sum, 1);
}

namespace {

void launch_first(int* sum, int launches, cudaStream_t stream) {
  for (int i = 0; i < launches; ++i) {
    first<<<1, 1, 0, stream>>>(sum);
  }
}

bool is_sum(const int* sum, int expected) {
  int value = 0;
  return cudaMemcpy(&value, sum, sizeof(value), cudaMemcpyDeviceToHost) == cudaSuccess &&
         value == expected;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int wrong = 2;
  constexpr int own_code = 3;
  const int launches = argc > 2 ? std::atoi(argv[1]) : 0;
  int* sum = nullptr;
  if (launches == 0 || cudaMalloc(&sum, sizeof(int)) != cudaSuccess ||
      cudaMemset(sum, 0, sizeof(int)) != cudaSuccess) {
    return wrong;
  }
  launch_first(sum, launches, nullptr);
  for (int i = 0; i < 100; ++i) {
    second<<<1, 1>>>(sum);
  }
  launch_first(sum, launches, nullptr);
  bool right = is_sum(sum, 2 * launches + 100);

  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([=] {
      cudaStream_t stream = nullptr;
      if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess) {
        launch_first(sum, launches, stream);
        cudaStreamSynchronize(stream);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  right = right && is_sum(sum, 6 * launches + 100);

  void* library = dlopen(argv[2], RTLD_NOW);
  const auto launch_there =
      library == nullptr ? nullptr
                         : reinterpret_cast<int (*)(int)>(dlsym(library, "launch_from_library"));
  right = right && launch_there != nullptr && launch_there(launches) == launches;
  std::puts(right ? "right" : "wrong");
  return own_code;
}
