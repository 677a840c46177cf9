// Places labels beside their anchors so that they overlap neither each other nor what is drawn, and
// so that the line from a label to its mark passes through no other text. Greedy: labels are placed
// in the order of the calls, each at the candidate with the least overlap and, among those, the
// least distance.
#pragma once

#include <vector>

namespace ridgepoint {

struct Box {
  double x = 0, y = 0, width = 0, height = 0;  // y grows downwards
};

struct Segment {
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

bool crosses(const Segment& segment, const Box& box);

struct PlacedLabel {
  Box box;
  bool far = false;  // so far from its anchor that a leader line helps
  Segment leader;    // from the anchor to the nearest place of the box
};

class LabelPlacement {
 public:
  explicit LabelPlacement(Box area) : area_(area) {}

  // Something that labels must not cover.
  void block(const Box& box) { blocked_.push_back(box); }
  // A text: nor may leader lines pass through it.
  void block_text(const Box& box);
  // Boxes along a straight line, for roofs.
  void block_line(double x0, double y0, double x1, double y1, double thickness);
  // The same for a rotated text.
  void block_text_line(double x0, double y0, double x1, double y1, double thickness);
  // How much of the box lies outside the area or over something blocked, in pixels of area.
  double covered(const Box& box) const;
  // A label of that size for the mark of `radius` at (x, y); blocks its own box and leader.
  PlacedLabel place(double x, double y, double radius, double width, double height);

 private:
  double crossings(const PlacedLabel& label) const;

  Box area_;
  std::vector<Box> blocked_;
  std::vector<Box> texts_;        // of the blocked
  std::vector<Segment> leaders_;  // of the labels placed
};

}  // namespace ridgepoint
