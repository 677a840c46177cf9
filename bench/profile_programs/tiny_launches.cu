// Launches an empty kernel as fast as it can: what a timeline costs shows here first. Prints the
// seconds of each loop, a line each. Usage: tiny_launches [LAUNCHES [LOOPS]]
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

__global__ void nothing() {}

}  // namespace

int main(int argc, char** argv) {
  const int launches = argc > 1 ? std::atoi(argv[1]) : 20000;
  const int loops = argc > 2 ? std::atoi(argv[2]) : 1;
  constexpr int first_launches = 1000;  // load the kernel and fill the queue
  for (int i = 0; i < first_launches; ++i) {
    nothing<<<1, 32>>>();
  }
  if (cudaDeviceSynchronize() != cudaSuccess) {
    return 2;
  }
  bool ran = true;
  for (int i = 0; i < loops && ran; ++i) {
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < launches; ++k) {
      nothing<<<1, 32>>>();
    }
    ran = cudaDeviceSynchronize() == cudaSuccess;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    std::printf("%.6f\n", took.count());
  }
  return ran ? 0 : 2;
}
