// A library with a pointer of its own to the driver's launch function, as each copy of CUDA's
// runtime library has: launched from when a program loads it late.
#include <dlfcn.h>

#include <cstdlib>

namespace {

using Launch = int (*)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                       void*, void**, void**);
Launch volatile launch_kernel = nullptr;

}  // namespace

#pragma GCC visibility push(default)

extern "C" {

// A page of its own, for tests that look for words.
alignas(65536) void* page_of_words[8192] = {nullptr};

void launch_from_library(void* kernel, int count) {
  if (launch_kernel == nullptr) {
    void* driver = dlopen(std::getenv("RIDGEPOINT_CUPTI"), RTLD_NOW);
    launch_kernel = reinterpret_cast<Launch>(dlsym(driver, "cuLaunchKernel"));
  }
  for (int n = 0; n < count; ++n) {
    launch_kernel(kernel, 5, 1, 1, 128, 1, 1, 0, nullptr, nullptr, nullptr);
  }
}

}  // extern "C"
