#include "collector/inject/measuring_time.h"

#include <gtest/gtest.h>

#include <thread>

namespace ridgepoint::collector {
namespace {

constexpr std::chrono::milliseconds pause{20};

TEST(MeasuringTime, IsWhatLiesInsideOfSpans) {
  MeasuringTime time;
  const auto start = std::chrono::steady_clock::now();
  {
    const MeasuringTime::Span span(time);
    std::this_thread::sleep_for(pause);
    EXPECT_GE(time.seconds(), 0.02) << "also while it lasts";
  }
  const double measured = time.seconds();
  const std::chrono::duration<double> all = std::chrono::steady_clock::now() - start;
  EXPECT_GE(measured, 0.02);
  EXPECT_LE(measured, all.count());
  std::this_thread::sleep_for(pause);
  EXPECT_EQ(time.seconds(), measured);
}

TEST(MeasuringTime, SpansThatNestOrOverlapCountOnce) {
  MeasuringTime time;
  const auto start = std::chrono::steady_clock::now();
  const auto hold_up = [&] {
    const MeasuringTime::Span outer(time);
    const MeasuringTime::Span inner(time);
    std::this_thread::sleep_for(pause);
  };
  std::thread other(hold_up);
  hold_up();
  other.join();
  const std::chrono::duration<double> all = std::chrono::steady_clock::now() - start;
  EXPECT_GE(time.seconds(), 0.02);
  EXPECT_LE(time.seconds(), all.count());
}

}  // namespace
}  // namespace ridgepoint::collector
