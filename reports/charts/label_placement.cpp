#include "reports/charts/label_placement.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ridgepoint {
namespace {

double overlap(const Box& a, const Box& b) {
  const double width = std::min(a.x + a.width, b.x + b.width) - std::max(a.x, b.x);
  const double height = std::min(a.y + a.height, b.y + b.height) - std::max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0.0;
}

// Boxes of that size, no further apart, from one end of the line to the other.
std::vector<Box> boxes_along(double x0, double y0, double x1, double y1, double thickness) {
  const double length = std::hypot(x1 - x0, y1 - y0);
  const int steps = std::max(1, static_cast<int>(length / std::max(thickness, 4.0)));
  std::vector<Box> boxes;
  for (int i = 0; i <= steps; ++i) {
    const double t = static_cast<double>(i) / steps;
    boxes.push_back({x0 + t * (x1 - x0) - thickness / 2, y0 + t * (y1 - y0) - thickness / 2,
                     thickness, thickness});
  }
  return boxes;
}

bool crosses(const Segment& a, const Segment& b) {
  const auto side = [](const Segment& line, double x, double y) {
    return (line.x1 - line.x0) * (y - line.y0) - (line.y1 - line.y0) * (x - line.x0);
  };
  return side(a, b.x0, b.y0) * side(a, b.x1, b.y1) < 0 &&
         side(b, a.x0, a.y0) * side(b, a.x1, a.y1) < 0;
}

}  // namespace

// Liang and Barsky: what the sides leave of the segment.
bool crosses(const Segment& segment, const Box& box) {
  const double dx = segment.x1 - segment.x0;
  const double dy = segment.y1 - segment.y0;
  double from = 0;
  double to = 1;
  const auto cut = [&](double step, double room) {
    if (step == 0) {
      return room > 0;
    }
    const double at = room / step;
    (step < 0 ? from : to) = step < 0 ? std::max(from, at) : std::min(to, at);
    return from < to;
  };
  return cut(-dx, segment.x0 - box.x) && cut(dx, box.x + box.width - segment.x0) &&
         cut(-dy, segment.y0 - box.y) && cut(dy, box.y + box.height - segment.y0);
}

void LabelPlacement::block_text(const Box& box) {
  block(box);
  texts_.push_back(box);
}

void LabelPlacement::block_line(double x0, double y0, double x1, double y1, double thickness) {
  for (const Box& box : boxes_along(x0, y0, x1, y1, thickness)) {
    block(box);
  }
}

void LabelPlacement::block_text_line(double x0, double y0, double x1, double y1, double thickness) {
  for (const Box& box : boxes_along(x0, y0, x1, y1, thickness)) {
    block_text(box);
  }
}

double LabelPlacement::covered(const Box& box) const {
  constexpr double of_cut_text = 20;  // a pixel of it: what is outside cannot be read at all
  double area = of_cut_text * (box.width * box.height - overlap(box, area_));
  for (const Box& other : blocked_) {
    area += overlap(box, other);
  }
  return area;
}

// A text that is struck through counts more than any distance, one that is covered more than that;
// two leaders that cross are only harder to follow.
double LabelPlacement::crossings(const PlacedLabel& label) const {
  constexpr double of_text = 1000;
  constexpr double of_covered_text = 8;  // a pixel of it
  constexpr double of_leader = 200;
  double cost = 0;
  for (const Segment& other : leaders_) {
    cost += crosses(other, label.box) ? of_text : 0;
    cost += label.far && crosses(other, label.leader) ? of_leader : 0;
  }
  for (const Box& text : texts_) {
    cost += of_covered_text * overlap(label.box, text);
  }
  if (label.far) {
    cost += of_text *
            static_cast<double>(std::count_if(texts_.begin(), texts_.end(), [&](const Box& text) {
              return crosses(label.leader, text);
            }));
  }
  return cost;
}

PlacedLabel LabelPlacement::place(double x, double y, double radius, double width, double height) {
  struct Direction {
    double dx, dy;  // of the label's centre, in units of its half size plus the gap
  };
  // Beside the mark and on one side above and below it first, so that lines of labels which follow
  // find a way out on the other; the last ones have lines that leave the mark aslant.
  static constexpr std::array<Direction, 18> directions = {{{1, 0},
                                                            {1, -1},
                                                            {1, 1},
                                                            {-1, 0},
                                                            {-1, -1},
                                                            {-1, 1},
                                                            {0, -1},
                                                            {0, 1},
                                                            {1.3, -1},
                                                            {1.3, 1},
                                                            {-1.3, -1},
                                                            {-1.3, 1},
                                                            {1.8, -1},
                                                            {1.8, 1},
                                                            {-1.8, -1},
                                                            {-1.8, 1},
                                                            {2.6, -1},
                                                            {-2.6, -1}}};
  static constexpr std::array<double, 9> gaps = {5, 16, 30, 46, 64, 90, 120, 150, 180};
  constexpr double near = 20;
  PlacedLabel best;
  double best_cost = INFINITY;
  for (const double gap : gaps) {
    for (const Direction& d : directions) {
      if (gap < near && std::abs(d.dx) > 1) {
        continue;  // too far aside to be read as its mark's without a line
      }
      const double centre_x = x + d.dx * (width / 2 + (d.dy == 0 ? radius + gap : 0));
      const double centre_y = y + d.dy * (height / 2 + radius + gap);
      const Box box{centre_x - width / 2, centre_y - height / 2, width, height};
      const PlacedLabel label{
          box,
          gap >= near,
          {x, y, std::clamp(x, box.x, box.x + width), std::clamp(y, box.y, box.y + height)}};
      // One covered pixel weighs as much as a step of one pixel away.
      const double length = std::hypot(label.leader.x1 - x, label.leader.y1 - y);
      const double here = covered(box) + std::max(gap, length - radius) + crossings(label);
      if (here < best_cost) {
        best_cost = here;
        best = label;
      }
    }
  }
  block_text(best.box);
  if (best.far) {
    leaders_.push_back(best.leader);
  }
  return best;
}

}  // namespace ridgepoint
