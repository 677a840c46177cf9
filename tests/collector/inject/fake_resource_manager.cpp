// The kernel driver's side of /dev/nvidiactl, of the one call that is made of it. FAKE_CUDA_L2 says
// what it does: "invalidated" on request, or "left", although it says that it was invalidated;
// "forbidden" ends who asks, as seccomp may. Without it there is no such file. FAKE_CUDA_FAIL may
// name "flush" (fake_libcuda.cpp). L2 holds data once a kernel of ours measured how long they take.
#include "tests/collector/inject/fake_resource_manager.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>
#include <utility>

namespace {

constexpr unsigned long control_request = 0xc020462a;
constexpr unsigned long allocate_request = 0xc020462b;
constexpr std::uint32_t flush_command = 0x2080130e;

bool l2_holds_data = false;

}  // namespace

std::uint64_t ridgepoint::test::fake_latency_cycles() {
  return std::exchange(l2_holds_data, true) ? 72'000 : 176'000;
}

#pragma GCC visibility push(default)
extern "C" {

// Whether there is the file.
int fake_has_manager() {
  return std::getenv("FAKE_CUDA_L2") != nullptr ? 1 : 0;
}

// As ioctl().
int fake_ask_manager(unsigned long request, void* argument) {
  if (std::string(std::getenv("FAKE_CUDA_L2")) == "forbidden") {
    std::raise(SIGSYS);
  }
  auto* words = static_cast<std::uint32_t*>(argument);
  constexpr std::size_t command = 2;
  constexpr std::size_t answer = 7;
  if (request != control_request && request != allocate_request) {
    errno = EINVAL;
    return -1;
  }
  words[answer] = 0;
  if (request == control_request && words[command] == flush_command) {
    if (ridgepoint::test::fake_call_fails("flush")) {
      words[answer] = 0x65;  // NV_ERR_TIMEOUT
    } else if (std::string(std::getenv("FAKE_CUDA_L2")) == "invalidated") {
      l2_holds_data = false;
    }
  }
  return 0;
}

}  // extern "C"
