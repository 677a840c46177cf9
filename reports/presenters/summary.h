// The few numbers a report opens with.
#pragma once

#include <string>
#include <vector>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

struct SummaryCard {
  std::string title;   // "Speed-up of fused"
  std::string value;   // "4.76x"
  std::string detail;  // "921 µs against 4.38 ms for naive"
};

// What the analysis compares or holds, in words: "Attention: naive beside fused", "3 kernels".
std::string headline(const Analysis& analysis);
// At most six; a card whose numbers were not measured is left out.
// The variant to hold against the first: the one with the largest speed-up. Null without others.
const VariantAnalysis* fastest_other(const Analysis& analysis);
std::vector<SummaryCard> summary_cards(const Analysis& analysis);

}  // namespace ridgepoint
