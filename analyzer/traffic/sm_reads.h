// What the SMs read through L2, counted at both ends of the way.
//
// Requests of several SMs for one line may meet between the SMs and L2's slices and be answered
// together, by L2's request coalescer (LRC) on GH100. The slices then look up, and send, fewer
// bytes than the SMs receive. How many requests meet follows from when the blocks ask, so a model
// that knows the problem alone predicts what is received (analyzer/attention/io_model.h,
// KernelIo::sm_reads), and what L2 moves counts it too (Traffic::merged).
#pragma once

#include <optional>
#include <vector>

#include "analyzer/analysis/analysis.h"
#include "analyzer/traffic/quantities.h"

namespace ridgepoint {

struct SmReads {
  double received = 0;   // by the SMs, byte
  double looked_up = 0;  // in L2 for it, byte
  double merged() const { return received > looked_up ? received - looked_up : 0; }
};

// Both ends by the counters for all reads of the SMs. Sessions without those may have TMA's bytes
// and what left the ports of L2: taken where more was received by TMA alone than was sent in all,
// which says that requests met. Empty where neither was counted.
std::optional<SmReads> sm_reads(const Quantities& quantities);
std::optional<SmReads> sm_reads(const KernelAnalysis& kernel);

// Sum over those of a variant's kernels (VariantAnalysis::kernels) that have both ends; empty when
// none has.
std::optional<SmReads> sm_reads(const std::vector<KernelAnalysis>& kernels,
                                const VariantAnalysis& variant);
inline std::optional<SmReads> sm_reads(const Analysis& analysis, const VariantAnalysis& variant) {
  return sm_reads(analysis.kernels, variant);
}

}  // namespace ridgepoint
