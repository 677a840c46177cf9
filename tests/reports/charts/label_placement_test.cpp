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

TEST(LabelPlacement, LeadsNoLineThroughAnotherLabel) {
  LabelPlacement labels({0, 0, 800, 600});
  labels.block({394, 294, 12, 12});
  std::vector<PlacedLabel> placed;
  for (int i = 0; i < 8; ++i) {
    placed.push_back(labels.place(400, 300, 6, 140, 18));
  }
  int led = 0;
  for (std::size_t a = 0; a < placed.size(); ++a) {
    led += placed[a].far ? 1 : 0;
    for (std::size_t b = 0; b < placed.size(); ++b) {
      EXPECT_FALSE(a != b && placed[a].far && crosses(placed[a].leader, placed[b].box))
          << a << " " << b;
    }
  }
  EXPECT_GE(led, 1) << "or the marks are not crowded";
}

TEST(LabelPlacement, ALineCrossesABoxThatItEntersAndNoneThatItTouchesOrMisses) {
  const Box box{10, 10, 20, 10};
  EXPECT_TRUE(crosses({0, 15, 40, 15}, box));
  EXPECT_TRUE(crosses({20, 0, 20, 40}, box));
  EXPECT_TRUE(crosses({15, 12, 20, 18}, box)) << "inside";
  EXPECT_FALSE(crosses({0, 10, 40, 10}, box)) << "along its edge";
  EXPECT_FALSE(crosses({0, 15, 10, 15}, box)) << "up to it";
  EXPECT_FALSE(crosses({0, 0, 9, 40}, box));
  EXPECT_FALSE(crosses({0, 30, 25, 5}, {0, 0, 10, 10}));
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
