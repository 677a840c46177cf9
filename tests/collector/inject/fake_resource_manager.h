#pragma once

#include <cstdint>
#include <string>

namespace ridgepoint::test {

// What the measurement of L2's latency takes, which is in L2 afterwards.
std::uint64_t fake_latency_cycles();
// By FAKE_CUDA_FAIL; defined in fake_libcuda.cpp.
bool fake_call_fails(const std::string& name);

}  // namespace ridgepoint::test
