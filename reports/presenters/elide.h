// Names shortened for columns and pictures. Widths count code points; texts must be printable().
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ridgepoint {

std::size_t display_width(const std::string& text);
// Cut to `width` with "…" at the end: for sentences and what is told by its beginning.
std::string elide(const std::string& text, std::size_t width);
// Cut to `width`, so that no two different names look the same: "…" stands in the middle, since
// kernels of one library differ at their ends; where several would look alike, it stands in front
// of what they differ in. Below 12 columns the differences have no room, and numbers tell them
// apart.
std::vector<std::string> elide_apart(const std::vector<std::string>& names, std::size_t width);

}  // namespace ridgepoint
