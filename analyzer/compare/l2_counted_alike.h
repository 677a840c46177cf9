// L2 bytes of two sessions in the same terms. One that counted what the SMs received counts
// requests that were answered together for each SM that asked (Traffic::merged); one that did not
// has only what L2 looked up, up to a half less for the same kernel. Set against each other, both
// are then what was looked up.
#pragma once

#include <optional>
#include <string>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

struct CountedAlike {
  Analysis base;
  Analysis now;
};

// Whether L2 bytes are known with what merged in one of the two alone.
bool l2_counted_differently(const Analysis& base, const Analysis& now);
// Of the names of compare/quantity.h: those whose value depends on it.
bool counts_merged(const std::string& quantity_id);
// Copies that agree; empty when the two already do.
std::optional<CountedAlike> l2_counted_alike(const Analysis& base, const Analysis& now);

}  // namespace ridgepoint
