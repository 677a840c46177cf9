// Places labels beside their anchors so that they overlap neither each other nor what is drawn.
// Greedy: labels are placed in the order of the calls, each at the candidate with the least overlap
// and, among those, the least distance.
#pragma once

#include <vector>

namespace ridgepoint {

struct Box {
  double x = 0, y = 0, width = 0, height = 0;  // y grows downwards
};

struct PlacedLabel {
  Box box;
  bool far = false;  // so far from its anchor that a leader line helps
};

class LabelPlacement {
 public:
  explicit LabelPlacement(Box area) : area_(area) {}

  // Something that labels must not cover.
  void block(const Box& box) { blocked_.push_back(box); }
  // Boxes along a straight line, for roofs and rotated texts.
  void block_line(double x0, double y0, double x1, double y1, double thickness);
  // How much of the box lies outside the area or over something blocked, in pixels of area.
  double covered(const Box& box) const;
  // A label of that size for the mark of `radius` at (x, y); blocks its own box.
  PlacedLabel place(double x, double y, double radius, double width, double height);

 private:
  Box area_;
  std::vector<Box> blocked_;
};

}  // namespace ridgepoint
