// Inputs for runs and tests: the same numbers for the same seed on every machine, whatever the
// number of threads.
//
// Values are close to normal with the given standard deviation and never 0: zeros would lower the
// power of the tensor cores and flatter the clock, and would hide an element that was never read.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/attention/problem.h"

namespace ridgepoint::kernels {

std::vector<std::uint16_t> random_tensor(std::int64_t elements, DataType type, std::uint64_t seed,
                                         float deviation = 1.0F);

struct AttentionData {
  std::vector<std::uint16_t> q;
  std::vector<std::uint16_t> k;
  std::vector<std::uint16_t> v;
};

// Q, K and V of a problem, from three streams of the seed.
AttentionData random_attention_data(const AttentionProblem& problem, std::uint64_t seed,
                                    float deviation = 1.0F);

}  // namespace ridgepoint::kernels
