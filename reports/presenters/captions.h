// What a figure shows and how to read it: under its heading in the page, and in a file of its own.
#pragma once

#include <string>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

std::string roofline_caption();
std::string traffic_caption(const Analysis& analysis);
std::string split_caption(const Analysis& analysis);
std::string diagram_caption(const Analysis& analysis);
std::string stall_caption();

}  // namespace ridgepoint
