// Runs independent pieces of work on all cores; for the host reference only.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace ridgepoint::kernels {

// Calls work(i) once for every i in [0, count), in any order, from several threads when there is
// enough to do.
template <class Work>
void parallel_for(std::int64_t count, const Work& work) {
  std::atomic<std::int64_t> next{0};
  const auto run = [&] {
    for (std::int64_t i = next++; i < count; i = next++) {
      work(i);
    }
  };
  const std::int64_t threads =
      std::min<std::int64_t>(count, std::max(1U, std::thread::hardware_concurrency()));
  std::vector<std::jthread> helpers;
  for (std::int64_t i = 1; i < threads; ++i) {
    helpers.emplace_back(run);
  }
  run();
}

}  // namespace ridgepoint::kernels
