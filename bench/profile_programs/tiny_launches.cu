// Launches an empty kernel as fast as it can: what a timeline costs shows here first.
//   tiny_launches [LAUNCHES]      prints the seconds of one loop
//   tiny_launches --turns CORE    for each number read prints the seconds of a loop of so many
//                                 launches, made on that core (-1: any); ends at 0
// In turns several of them, profiled or not, meet the same moments of a machine whose cores change
// their speed by a quarter from one second to the next.
#include <sched.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

__global__ void nothing() {}

bool launch(int count) {
  for (int i = 0; i < count; ++i) {
    nothing<<<1, 32>>>();
  }
  return cudaDeviceSynchronize() == cudaSuccess;
}

// Loads the kernel, fills the queue; a profiler has seen by then what kind of program this is.
bool begin() {
  constexpr int first_launches = 3000;
  return launch(first_launches);
}

bool timed_loop(int launches) {
  const auto start = std::chrono::steady_clock::now();
  const bool ran = launch(launches);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::printf("%.6f\n", took.count());
  std::fflush(stdout);
  return ran;
}

int take_turns(int core) {
  if (!begin()) {
    return 2;
  }
  if (core >= 0) {  // now, so that a profiler's threads, which have begun, stay where they like
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(core, &cores);
    sched_setaffinity(0, sizeof(cores), &cores);
  }
  std::puts("ready");
  std::fflush(stdout);
  int launches = 0;
  while (std::scanf("%d", &launches) == 1 && launches > 0) {
    if (!begin() || !timed_loop(launches)) {
      return 2;
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2 && std::strcmp(argv[1], "--turns") == 0) {
    return take_turns(std::atoi(argv[2]));
  }
  return begin() && timed_loop(argc > 1 ? std::atoi(argv[1]) : 20000) ? 0 : 2;
}
