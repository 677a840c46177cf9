#include "reports/presenters/reductions.h"

#include <gtest/gtest.h>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {
namespace {

TEST(Reductions, AreTheBytesOfL2ThatAreNeitherReadNorWritten) {
  Traffic l2;
  l2.read = 50;
  l2.write = 20;
  EXPECT_FALSE(reduction_bytes(l2)) << "the sum is not known";
  l2.total = 100;
  EXPECT_EQ(reduction_bytes(l2), 30);
  l2.total = 72;
  EXPECT_FALSE(reduction_bytes(l2)) << "a counter's error";
}

// Look-ups and what they served are of different passes.
TEST(Reductions, AreNotWhatSeveralPassesMergedDifferently) {
  Traffic l2;
  l2.read = 500;
  l2.write = 0;
  l2.total = 560;
  l2.merged = 600;
  EXPECT_FALSE(reduction_bytes(l2));
}

}  // namespace
}  // namespace ridgepoint
