// How busy a set of kernels kept each resource, and how busy it could have been.
#pragma once

#include <optional>
#include <vector>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

// `memory` is the level that is busiest in each kernel: one that saturates any level of the memory
// system uses it well.
enum class Resource : std::size_t { hbm = 0, l2 = 1, smem = 2, compute = 3, memory = 4 };
inline constexpr std::size_t resource_count = 5;
const char* label(Resource resource);

struct Reach {
  std::optional<double> achieved;    // utilisation over the kernels' time
  std::optional<double> attainable;  // utilisation if every kernel ran right at its nearest roof
  // The rival that most of that least time goes to; empty when the resource itself is nearest.
  std::optional<Resource> obstacle;
  double rivals_share = 0;  // of the least time: what goes to kernels nearer to a rival
};

// `rivals` are the resources that excuse idling: those which the kernels cannot do without. As a
// rival, compute is as busy as its busiest pipe or the issue slots. A
// resource that one of the kernels lacks is not known for the whole. A kernel without FLOP keeps
// compute idle: 0.
Reach reach_of(const std::vector<const KernelAnalysis*>& kernels, Resource resource,
               const std::vector<Resource>& rivals);

// Share of the kernels' time spent in kernels that arithmetic or the issue slots bind.
double compute_bound_share(const std::vector<const KernelAnalysis*>& kernels);

}  // namespace ridgepoint
