#include "reports/presenters/captions.h"

#include "reports/presenters/labels.h"
#include "reports/presenters/tables.h"

namespace ridgepoint {

std::string roofline_caption() {
  return "Each kernel has one mark for each memory level, all at its FLOP rate; the size follows "
         "its "
         "share of the time. The farther a mark lies below the roof of its level, the more room "
         "there is.";
}

std::string traffic_caption(const Analysis& analysis) {
  return std::string(nothing_ran(analysis)
                         ? "Bytes that the IO model predicts; nothing was measured."
                         : "Bytes the hardware counted beside those the IO model predicts.") +
         " Bars are to scale within a level.";
}

std::string split_caption(const Analysis& analysis) {
  return traffic_split_note(analysis) + " Bars are to scale within a level.";
}

std::string diagram_caption(const Analysis& analysis) {
  const char* bytes = "Bytes counted in one run of each variant.";
  if (analysis.source == Source::predicted) {
    bytes = "Bytes that the IO model predicts.";
  } else if (analysis.variants.empty()) {
    bytes = "Bytes counted in all kernels together.";
  }
  return std::string(bytes) +
         " Arrows are to scale within a link; shared-memory bytes are the bandwidth used.";
}

std::string stall_caption() {
  return "Share of the warps' time by state, from PC samples or, where none were taken, from "
         "counters. Red and orange shades are memory stalls.";
}

}  // namespace ridgepoint
