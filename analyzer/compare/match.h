// Which kernel and which variant of one analysis answers which of another.
#pragma once

#include <cstddef>
#include <vector>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

enum class MatchedBy { name, role, shape };
const char* key(MatchedBy by);

struct MatchedPair {
  std::size_t base = 0;  // index into the lists of the first analysis
  std::size_t now = 0;   // ... of the second
  MatchedBy by = MatchedBy::name;
};

struct Matching {
  std::vector<MatchedPair> pairs;  // in the order of the second analysis
  std::vector<std::size_t> only_base;
  std::vector<std::size_t> only_now;

  const MatchedPair* of_now(std::size_t index) const;
};

// Steps, each over what the steps before left: the same function in the same variant and role; the
// same function; the same role in the same variant; the same role; the same base name with the same
// grid and block. Several that look alike are paired in order when both sides have equally many,
// and not at all otherwise: a wrong pair is worse than none.
Matching match_kernels(const Analysis& base, const Analysis& now);
// By name; then a variant that does the same roles as exactly one other.
Matching match_variants(const Analysis& base, const Analysis& now);

}  // namespace ridgepoint
