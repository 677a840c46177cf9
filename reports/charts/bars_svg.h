// Horizontal bars in groups, each bar one part or several: what the page makes of style sheets, as
// a picture of its own.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace ridgepoint {

struct BarPart {
  double share = 0;    // of the longest bar of its group
  std::string colour;  // an entry of the palette: "stall-memory"
  std::string label;   // drawn where it has room
  std::string tooltip;
  bool hollow = false;  // an outline alone: predicted and not measured
};

struct BarRow {
  std::string name;
  std::vector<BarPart> parts;
  std::string value;  // at the right
};

struct BarGroup {
  std::string title;  // may be empty
  std::vector<BarRow> rows;
};

// An SVG element whose colours are var(--NAME) of the palette. `key`: colour and meaning.
std::string bars_svg(const std::vector<BarGroup>& groups,
                     const std::vector<std::pair<std::string, std::string>>& key);

}  // namespace ridgepoint
