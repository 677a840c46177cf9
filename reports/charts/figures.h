// Every figure of a report as an SVG file of its own. A new one is one line in figures.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

struct Figure {
  std::string_view name;         // what --figure takes
  std::string_view description;  // for --help
  // A whole document in light colours; empty where the analysis has nothing to draw.
  std::string (*draw)(const Analysis&);
};

const std::vector<Figure>& figures();

}  // namespace ridgepoint
