// Which tensors a kernel of a variant must read and write, each once: the floor of its traffic, and
// what tells inputs and outputs of the problem from intermediates that only this variant has.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/session/session.h"

namespace ridgepoint {

struct TensorUse {
  std::string tensor;  // "Q", "S", "dQ sums"
  double bytes = 0;
  bool intermediate = false;  // neither an input nor an output of the problem
  bool written = false;
};

// Of one launch. Empty for a role that is not known, or a shape or tile that no kernel has.
// `splits` is the number of parts of split-KV.
std::vector<TensorUse> tensor_uses(const AttentionShape& shape, const KernelTileInfo& tile,
                                   std::int64_t splits = 1);

}  // namespace ridgepoint
