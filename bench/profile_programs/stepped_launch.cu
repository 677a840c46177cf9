// How many instructions of the processor a launch takes, by single-stepping it: what a profiler adds
// to one shows here to the instruction, where times differ from host to host.
//   stepped_launch [COUNT]    steps through COUNT launches (20) of an empty kernel, 2,048 others
//                             before each, and prints how many the shortest took, by object
// Stepping takes tens of milliseconds a launch, which a profiler that watches the pace of launches
// may take for a slow program: hence the shortest. For x86-64 and Linux.
#include <dlfcn.h>
#include <ucontext.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace {

__global__ void nothing() {}

constexpr std::size_t most_instructions = std::size_t{1} << 20U;
constexpr int between = 2048;

std::vector<void*> addresses(most_instructions);
volatile std::size_t taken = 0;

void on_step(int, siginfo_t*, void* context) {
  if (taken < addresses.size()) {
    const auto* where = static_cast<const ucontext_t*>(context);
    addresses[taken] = reinterpret_cast<void*>(where->uc_mcontext.gregs[REG_RIP]);
    taken = taken + 1;
  }
}

// The trap flag, bit 8 of RFLAGS (Intel's manual, volume 3, "Single-Step Exception").
void begin_steps() {
  asm volatile("pushfq; orq $0x100, (%%rsp); popfq" ::: "memory", "cc");
}
void end_steps() {
  asm volatile("pushfq; andq $~0x100, (%%rsp); popfq" ::: "memory", "cc");
}

using ByObject = std::map<std::string, std::size_t>;

ByObject by_object() {
  ByObject counts;
  for (std::size_t i = 0; i < taken; ++i) {
    Dl_info info{};
    const bool known = dladdr(addresses[i], &info) != 0 && info.dli_fname != nullptr;
    const std::string path = known ? info.dli_fname : "elsewhere";
    ++counts[path.substr(path.rfind('/') + 1)];
  }
  return counts;
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 20;
  struct sigaction action = {};
  action.sa_sigaction = on_step;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGTRAP, &action, nullptr);
  std::vector<std::pair<std::size_t, ByObject>> launches;
  for (int i = 0; i < std::max(count, 1); ++i) {
    for (int launch = 0; launch < (i == 0 ? 10 : 1) * between; ++launch) {
      nothing<<<1, 32>>>();
    }
    taken = 0;
    begin_steps();
    nothing<<<1, 32>>>();
    end_steps();
    launches.emplace_back(taken, by_object());
  }
  if (cudaDeviceSynchronize() != cudaSuccess) {
    return 2;
  }
  std::sort(launches.begin(), launches.end());
  std::printf("instructions of a launch: least %zu, median %zu, most %zu\n", launches.front().first,
              launches[launches.size() / 2].first, launches.back().first);
  std::puts("of the least:");
  for (const auto& [object, instructions] : launches.front().second) {
    std::printf("  %8zu %s\n", instructions, object.c_str());
  }
  return 0;
}
