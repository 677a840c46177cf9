// The performance targets of a workload, and a fair verdict on each.
//
// Fair means: a kernel cannot keep every resource busy at once. From the work its kernels did on
// each resource r and that resource's peak follows the least time t(r) = work / peak; a variant can
// at best run in T = the sum over its kernels of max over r of t(r), and resource r is then busy
// for t(r) / T of it. A target above that is out of reach, and the verdict is "not applicable",
// with the resource that stands in the way. A memory target missed by kernels that mostly are bound
// by compute (its pipes and the issue slots included) does not apply either. Not every resource
// excuses: what a kernel asks of L2 and shared memory is its own design, so that for the compute
// target only HBM does. Nor does what padding keeps busy: where most FLOP executed are not of the
// problem, compute and shared memory, which feeds it, excuse no idle HBM and are judged neither met
// nor missed themselves, since no counter tells the bytes of padding from the others.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

struct TargetLimits {
  double hbm_bandwidth_utilisation = 0.80;   // at least
  double smem_bandwidth_utilisation = 0.90;  // at least
  double memory_stall_ratio = 0.10;          // at most
  double p99_latency_s = 1e-3;               // at most
  double compute_utilisation = 0.85;         // at least
  double memory_utilisation = 0.80;          // at least: the busiest of HBM, L2 and shared memory
};

// The limit of one target by its id in reports ("p99_latency"), null when there is none of it.
double* limit_of(TargetLimits& limits, std::string_view id);
// "hbm_bandwidth_utilisation, ...": every id, for messages.
std::string target_ids();

// All targets for every variant; without variants, for the program as a whole (variant name empty).
std::vector<TargetResult> judge_targets(const Analysis& analysis, const TargetLimits& limits);

}  // namespace ridgepoint
