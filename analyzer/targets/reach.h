// How busy a set of kernels kept each resource, and how busy it could have been.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

enum class Resource : std::size_t { hbm = 0, l2 = 1, smem = 2, compute = 3 };
inline constexpr std::size_t resource_count = 4;
const char* label(Resource resource);

struct Reach {
  std::optional<double> achieved;    // utilisation over the kernels' time
  std::optional<double> attainable;  // utilisation if every kernel ran at its nearest roof
};

struct ResourceUse {
  std::array<Reach, resource_count> reach;
  // The resource that most of the least time goes to; empty when nothing is known.
  std::optional<Resource> binding;
  const Reach& operator[](Resource resource) const {
    return reach[static_cast<std::size_t>(resource)];
  }
};

// A resource that one of the kernels lacks is not known for the whole. A kernel without FLOP keeps
// compute idle: 0.
ResourceUse use_of_resources(const std::vector<const KernelAnalysis*>& kernels);

}  // namespace ridgepoint
