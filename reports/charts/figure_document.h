// A figure as a file of its own: what the page says around a chart stands in the picture, so that
// it can be passed on alone.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

struct FigurePart {
  std::string svg;                    // one of our elements, its view box beginning at 0 0
  std::string heading;                // of one chart among several; or empty
  std::vector<std::string> captions;  // a paragraph each
  // What a reader who cannot see the picture needs of it; empty: the element's aria-label.
  std::string summary;
};

struct FigureText {
  std::string title;                  // "Traffic by memory level"
  std::vector<std::string> captions;  // a paragraph each
};

// An SVG document in light colours. <title> is the title with the session, <desc> captions and
// summaries; title, session and captions are visible above the parts. `class_name` and `css` are of
// the parts' style sheet. `focusable`: whether marks can be reached by the keyboard.
std::string figure_document(const Analysis& analysis, const FigureText& text,
                            std::string_view class_name, std::string_view css,
                            const std::vector<FigurePart>& parts, bool focusable = false);

}  // namespace ridgepoint
