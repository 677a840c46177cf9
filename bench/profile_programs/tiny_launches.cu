// Launches an empty kernel as fast as it can: what a timeline costs shows here first. Prints the
// seconds of the loop. Usage: tiny_launches [LAUNCHES]
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

__global__ void nothing() {}

}  // namespace

int main(int argc, char** argv) {
  const int launches = argc > 1 ? std::atoi(argv[1]) : 20000;
  constexpr int first_launches = 1000;  // load the kernel and fill the queue
  for (int i = 0; i < first_launches; ++i) {
    nothing<<<1, 32>>>();
  }
  if (cudaDeviceSynchronize() != cudaSuccess) {
    return 2;
  }
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < launches; ++i) {
    nothing<<<1, 32>>>();
  }
  const bool ran = cudaDeviceSynchronize() == cudaSuccess;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::printf("%.6f\n", took.count());
  return ran ? 0 : 2;
}
