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

}  // namespace

void LabelPlacement::block_line(double x0, double y0, double x1, double y1, double thickness) {
  const double length = std::hypot(x1 - x0, y1 - y0);
  const int steps = std::max(1, static_cast<int>(length / std::max(thickness, 4.0)));
  for (int i = 0; i <= steps; ++i) {
    const double t = static_cast<double>(i) / steps;
    block({x0 + t * (x1 - x0) - thickness / 2, y0 + t * (y1 - y0) - thickness / 2, thickness,
           thickness});
  }
}

double LabelPlacement::covered(const Box& box) const {
  double area = box.width * box.height - overlap(box, area_);
  for (const Box& other : blocked_) {
    area += overlap(box, other);
  }
  return area;
}

PlacedLabel LabelPlacement::place(double x, double y, double radius, double width, double height) {
  struct Direction {
    double dx, dy;  // of the label's centre, in units of its half size plus the gap
  };
  static constexpr std::array<Direction, 8> directions = {
      {{1, 0}, {0, -1}, {0, 1}, {-1, 0}, {0.8, -1}, {0.8, 1}, {-0.8, -1}, {-0.8, 1}}};
  static constexpr std::array<double, 6> gaps = {5, 16, 30, 46, 64, 90};
  PlacedLabel best;
  double best_cost = INFINITY;
  for (const double gap : gaps) {
    for (const Direction& d : directions) {
      const double centre_x = x + d.dx * (width / 2 + (d.dy == 0 ? radius + gap : 0));
      const double centre_y = y + d.dy * (height / 2 + radius + gap);
      const Box box{centre_x - width / 2, centre_y - height / 2, width, height};
      // One covered pixel weighs as much as a step of one pixel away.
      const double here = covered(box) + gap;
      if (here < best_cost) {
        best_cost = here;
        best = {box, gap > 20};
      }
    }
  }
  block(best.box);
  return best;
}

}  // namespace ridgepoint
