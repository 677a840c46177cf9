// An INVENTED timeline in microseconds, for tests of what is made of one.
#pragma once

#include <cstdint>
#include <string>

#include "analyzer/session/session.h"

namespace ridgepoint::test_support {

constexpr std::int64_t us = 1000;
constexpr std::int64_t clock_start_ns =
    1'796'000'000'000'000'000;  // seconds since 1970, as recorded

inline Session empty_profile() {
  Session session;
  session.producer.mode = "profile";
  session.policy.counter_profile = "none";
  session.devices = {DeviceInfo(), DeviceInfo()};
  session.kernels.resize(3);
  session.kernels[0].name = "gemm";
  session.kernels[1].name = "softmax";
  session.kernels[2].name = "copy";
  return session;
}

// Equal times: listed, not timed.
inline Launch& add_launch(Session& session, std::uint32_t kernel, std::int64_t from_us,
                          std::int64_t to_us, std::uint32_t stream = 7, std::uint32_t device = 0) {
  Launch launch;
  launch.kernel = kernel;
  launch.stream = stream;
  launch.device = device;
  launch.start_ns = clock_start_ns + from_us * us;
  launch.end_ns = clock_start_ns + to_us * us;
  session.launches.push_back(launch);
  return session.launches.back();
}

inline void add_copy(Session& session, const std::string& kind, std::uint64_t bytes,
                     std::int64_t from_us, std::int64_t to_us, std::uint32_t device = 0) {
  session.memory_operations.push_back(
      {kind, device, 7, bytes, clock_start_ns + from_us * us, clock_start_ns + to_us * us});
}

inline void add_range(Session& session, const std::string& name, std::int64_t from_us,
                      std::int64_t to_us, std::int64_t parent = no_index) {
  session.ranges.push_back(
      {name, "", 42, clock_start_ns + from_us * us, clock_start_ns + to_us * us, parent});
}

}  // namespace ridgepoint::test_support
