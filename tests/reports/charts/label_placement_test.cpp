#include "reports/charts/label_placement.h"

#include <gtest/gtest.h>

#include <vector>

namespace ridgepoint {
namespace {

bool overlap(const Box& a, const Box& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

TEST(LabelPlacement, PutsASingleLabelToTheRightOfItsMark) {
  LabelPlacement labels({0, 0, 400, 200});
  const PlacedLabel label = labels.place(100, 100, 5, 60, 16);
  EXPECT_GT(label.box.x, 105);
  EXPECT_FALSE(label.far);
}

TEST(LabelPlacement, KeepsLabelsOfCoincidingMarksApart) {
  LabelPlacement labels({0, 0, 400, 300});
  std::vector<Box> boxes;
  for (int i = 0; i < 6; ++i) {
    boxes.push_back(labels.place(200, 150, 6, 80, 18).box);
  }
  for (std::size_t a = 0; a < boxes.size(); ++a) {
    for (std::size_t b = a + 1; b < boxes.size(); ++b) {
      EXPECT_FALSE(overlap(boxes[a], boxes[b])) << a << " " << b;
    }
  }
}

TEST(LabelPlacement, StaysInsideTheAreaAtItsEdge) {
  LabelPlacement labels({0, 0, 400, 200});
  const Box box = labels.place(395, 100, 5, 60, 16).box;
  EXPECT_LE(box.x + box.width, 400);
}

TEST(LabelPlacement, AvoidsLinesThatAreDrawn) {
  LabelPlacement labels({0, 0, 400, 200});
  labels.block_line(100, 100, 400, 100, 4);
  const Box box = labels.place(100, 100, 5, 60, 16).box;
  EXPECT_FALSE(overlap(box, {100, 99, 300, 2}));
}

}  // namespace
}  // namespace ridgepoint
