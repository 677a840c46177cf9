// What else differs between two sessions than the program: hardware, clocks, problem, and the way
// of measuring. A comparison names these before any number, and leaves out the verdicts they spoil.
#pragma once

#include <string>
#include <vector>

#include "analyzer/analysis/analysis.h"
#include "analyzer/compare/match.h"

namespace ridgepoint {

// `counters` is what passes of a replay hold: the times of launches that were taken in them, too.
enum class Spoils { nothing, counters, timing, everything };
// How a time was taken: by repeats of the whole variant, which no counter disturbs, or launch by
// launch, in the passes that read counters or beside a timeline.
enum class TimedBy { repeats, launches };

struct Difference {
  std::string code;  // stable, dotted: "hardware.device"
  std::string text;
  Spoils spoils = Spoils::nothing;
  std::string brief;  // for the lines of what it spoils: "other hardware"
};

bool spoils_time(const Difference& difference, TimedBy by);

std::vector<Difference> find_differences(const Analysis& base, const Analysis& now);

// The SM clock measured in a kernel and in its counterpart, apart by more than `tolerance` of the
// slower one. Clocks that were not measured are not apart; that they were not is said by
// find_differences().
bool clocks_apart(const KernelAnalysis& base, const KernelAnalysis& now, double tolerance);
// Whether the clock of any kernel of the variant moved.
bool clocks_apart(const Analysis& base, const VariantAnalysis& base_variant, const Analysis& now,
                  const VariantAnalysis& now_variant, const Matching& kernels, double tolerance);

// Empty when both describe the same problem; else what differs, "seqlen_q 4096 -> 8192".
std::string workload_difference(const std::optional<AttentionShape>& base,
                                const std::optional<AttentionShape>& now);

}  // namespace ridgepoint
