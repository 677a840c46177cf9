#include "gui/roofline/label_placer.h"

#include <gtest/gtest.h>

namespace ridgepoint::gui {
namespace {

QPolygonF box(double x, double y) {
  return QPolygonF(QRectF(x, y, 10, 10));
}

TEST(LabelPlacer, TakesTheFirstPlaceThatIsFree) {
  LabelPlacer placer(QRectF(0, 0, 100, 100));
  placer.block(QRectF(0, 0, 20, 20));
  EXPECT_EQ(placer.place({box(5, 5), box(30, 30)}), 1U);
}

TEST(LabelPlacer, NeverCoversALabelPlacedBefore) {
  LabelPlacer placer(QRectF(0, 0, 100, 100));
  ASSERT_TRUE(placer.place({box(30, 30)}));
  EXPECT_FALSE(placer.place({box(35, 35)}));
}

TEST(LabelPlacer, LeavesALabelOutThatWouldBeCut) {
  LabelPlacer placer(QRectF(0, 0, 100, 100));
  EXPECT_FALSE(placer.place({box(95, 50), box(-5, 50)}));
}

TEST(LabelPlacer, UsesAPlaceThatWasGivenBack) {
  LabelPlacer placer(QRectF(0, 0, 100, 100));
  ASSERT_TRUE(placer.place({box(30, 30)}));
  placer.release(box(30, 30));
  EXPECT_TRUE(placer.place({box(35, 35)}));
}

TEST(LabelPlacer, KeepsOffALineInAnyDirection) {
  for (const QLineF& line :
       {QLineF(0, 50, 100, 50), QLineF(50, 0, 50, 100), QLineF(0, 0, 100, 100)}) {
    LabelPlacer placer(QRectF(0, 0, 100, 100));
    placer.block(line);
    const QPolygonF across(QRectF(30, 45, 40, 10));
    const QPolygonF beside(QRectF(60, 10, 20, 10));
    EXPECT_EQ(placer.place({across, beside}), 1U);
  }
}

}  // namespace
}  // namespace ridgepoint::gui
