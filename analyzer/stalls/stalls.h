// What warps waited for, from program-counter samples or, where there are none, from the stall
// counters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analyzer/analysis/analysis.h"
#include "analyzer/session/session.h"

namespace ridgepoint {

// The reasons that mean waiting for memory, and make up the memory stall ratio: long_scoreboard
// (global, local, texture loads), short_scoreboard (shared memory, MUFU), lg_throttle, mio_throttle
// and tex_throttle (full queues), drain (stores at exit).
bool is_memory_stall(const std::string& reason);

// The samples of each kernel, found without a walk through those of all others. The session must
// outlive it, and its samples must name kernels that it has.
class PcSamplesByKernel {
 public:
  explicit PcSamplesByKernel(const Session& session);
  // Samples by stall reason, for the reasons that were seen.
  std::map<std::uint32_t, double> of(std::size_t kernel) const;
  // The same apart by device; no_index where a sample names none.
  std::map<std::int64_t, std::map<std::uint32_t, double>> by_device(std::size_t kernel) const;

 private:
  const Session* session_;
  std::vector<std::size_t> begin_;  // by kernel, into order_; one more than there are kernels
  std::vector<std::uint32_t> order_;
};

// Fills stalls, stall_samples, memory_stall_ratio and stalls_by_device. The denominator is every
// sample of the kernel, those in the states `selected` (issuing) and `not_selected` (ready, another
// warp issued) included: the shares add up to 1. Samples belong to a kernel, not to a launch, so
// that two variants using one kernel share them. Without samples the shares are warp cycles stalled
// / warp cycles resident (the quantities stall_* and warp_cycles_active), and stall_samples stays
// 0.
void fill_stalls(KernelAnalysis& kernel, const Session& session, const PcSamplesByKernel& samples);

}  // namespace ridgepoint
