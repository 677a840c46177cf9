// One launch of a kernel. A session adds up all launches, so its sums say how long the program ran
// as much as how fast the kernel is: these are what sessions of different length share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/compare/quantity.h"

namespace ridgepoint {

std::optional<double> mean_launch_s(const KernelAnalysis& kernel);

// Appends "per_launch.time_s" and the like: the median of the launches' times where each was timed,
// else the mean; of counters and FLOP the mean.
void add_launch_quantities(std::vector<Quantity<KernelAnalysis>>& list);

// The times behind a quantity that is their median, in launch order; null for any other quantity
// and where not every launch was timed.
const std::vector<double>* launch_times_behind(const KernelAnalysis& kernel,
                                               const std::string& quantity);

// Whether the value of a kernel adds up over its launches: time, FLOP, bytes that were moved.
bool adds_up_over_launches(const QuantityInfo& quantity);

// "per_launch.time_s" of "time_s"; empty for a quantity that has none.
std::string per_launch_id(const std::string& quantity);

}  // namespace ridgepoint
