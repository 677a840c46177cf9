// An INVENTED session: nobody measured these numbers. They are plausible for naive and fused
// attention on a GPU like an H200, and round enough to check by hand. Real recordings lie in
// data/recordings; use those wherever it matters what a GPU does.
#pragma once

#include <cstddef>
#include <string>

#include "analyzer/session/session.h"

namespace ridgepoint::testing {

// Launches of the sample, in order.
enum : std::size_t { scores_launch = 0, softmax_launch = 1, output_launch = 2, fused_launch = 3 };

// 132 SMs, at most 1.98 GHz; memory at 3.2 GHz on 6,144 bit: 4.9152 TB/s.
DeviceInfo sample_device();

// Batch 1, 8 heads, 4,096 queries and keys, head dimension 64, fp16, not causal. Two variants,
// "naive" (scores, softmax, output) and "fused".
Session sample_session();

// Sets the counters of a launch so that the quantity evaluates to `value` (the counter map of GH100
// says which). Fails the program on an unknown quantity.
void set_quantity(Session& session, std::size_t launch, const std::string& quantity, double value);
// Makes it unmeasured again.
void clear_quantity(Session& session, std::size_t launch, const std::string& quantity);

}  // namespace ridgepoint::testing
