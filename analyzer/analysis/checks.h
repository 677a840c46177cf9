// Consistency checks: what cannot be, or should not be trusted, becomes an issue that reports print
// first.
#pragma once

#include <vector>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

// A utilisation may exceed its roof by this much before it is called impossible: clocks move within
// a kernel, and multi-pass counters come from different runs.
inline constexpr double utilisation_limit = 1.05;
// Counted against analytic FLOP.
inline constexpr double flop_ratio_low = 0.98;
inline constexpr double flop_ratio_high = 1.02;
// SM clocks of the kernels of one run may differ by this share.
inline constexpr double clock_spread_limit = 0.05;
// A clock measured as cycles over time may exceed the device's maximum by rounding.
inline constexpr double clock_limit = 1.02;
// ... and of a short kernel by more: cycles are counted, and time is taken, from a little before
// the kernel to a little after it, and not from the same moments. Of 48 kernels of 2 to 34
// microseconds on an H200 (profile-training-step) none was wrong by as much.
inline constexpr double clock_window_s = 1e-6;

std::vector<Issue> check_consistency(const Analysis& analysis);

}  // namespace ridgepoint
