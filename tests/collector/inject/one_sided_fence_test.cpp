#include "collector/inject/one_sided_fence.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace ridgepoint::collector {
namespace {

// Each writes its own and then reads the other's: without a fence both may read what was before.
TEST(OneSidedFence, OneOfTwoSeesTheOther) {
  const OneSidedFence fence;
  constexpr int rounds = 20'000;
  for (const bool one_sided : {fence.is_one_sided(), false}) {
    std::atomic<int> often{0};
    std::atomic<int> seldom{0};
    std::atomic<int> seen_by_often{0};
    std::atomic<int> ready{0};
    int missed = 0;
    std::thread other([&] {
      for (int round = 1; round <= rounds; ++round) {
        while (ready.load(std::memory_order_acquire) != round) {
        }
        often.store(round, std::memory_order_relaxed);
        OneSidedFence::often(one_sided);
        seen_by_often.store(seldom.load(std::memory_order_relaxed) == round ? round : -round,
                            std::memory_order_release);
      }
    });
    for (int round = 1; round <= rounds; ++round) {
      ready.store(round, std::memory_order_release);
      seldom.store(round, std::memory_order_relaxed);
      ASSERT_TRUE(fence.seldom());
      const bool sees = often.load(std::memory_order_relaxed) == round;
      int seen = 0;
      do {
        seen = seen_by_often.load(std::memory_order_acquire);
      } while (seen != round && seen != -round);
      missed += !sees && seen == -round ? 1 : 0;
    }
    other.join();
    EXPECT_EQ(missed, 0) << (one_sided ? "by membarrier" : "by a fence on each side");
  }
}

}  // namespace
}  // namespace ridgepoint::collector
