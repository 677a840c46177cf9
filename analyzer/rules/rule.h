// A rule looks at the analysis and says what is wrong, why, what to change and what that would
// gain. One rule a file, one line in rules.inc. Thresholds that Nsight Compute's published rules
// also have are the same here, so that both tools agree; each file names where its formula comes
// from.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/analysis/analysis.h"
#include "analyzer/chips/chip.h"
#include "analyzer/session/session.h"

namespace ridgepoint {

struct RuleContext {
  const Analysis& analysis;
  const Session& session;
  std::vector<KernelTileInfo> tiles;  // by kernel of the analysis; `role` empty where there is none
  std::vector<const DeviceInfo*> devices;    // by kernel of the analysis
  std::vector<const ChipModel*> chips = {};  // the same; null where no chip of data/chips fits
};

struct Rule {
  const char* id;
  const char* not_applicable_when;
  std::vector<Diagnosis> (*find)(const RuleContext&);
};

using KernelRule = std::optional<Diagnosis> (*)(const RuleContext&, const KernelAnalysis&,
                                                std::size_t index);
// Applies `rule` to every kernel; the diagnoses get the kernel's index and variant.
std::vector<Diagnosis> for_each_kernel(const RuleContext& context, KernelRule rule);

// How loud a diagnosis is, by the share of time it would save.
Severity severity_of_gain(double gain);

// min(gain, room), and never below 0.
double bounded_gain(double gain, double room);
// What is left of a kernel's time below a bandwidth roof that is used to `used`, at the bytes it
// moves. Where the ceiling of that id was measured, below what was reached then: no kernel gets the
// theoretical peak. `name` is that of the utilisation, for the formula.
struct GainBelowRoof {
  double gain = 0;
  std::string formula;
};
GainBelowRoof gain_below_roof(const RuleContext& context, const std::string& ceiling, double used,
                              const std::string& name);
// What no throughput limit stands in the way of: 1 - the highest share of any roof, pipe or the
// issue slots. The bound that Nsight Compute's issue-slot rules put on every gain from better
// latency hiding. Empty when HBM's share is not known.
std::optional<double> room_below_roofs(const KernelAnalysis& kernel);

std::string percent(double share);                        // "12.3 %"
std::string time_text(double seconds);                    // "65.9 µs", "4.38 ms"
std::string with_prefix(double value, const char* unit);  // 17262.7e6, "B": "17.3 GB"

}  // namespace ridgepoint
