#include "collector/inject/launch_gates.h"

#include <gtest/gtest.h>

#include <future>
#include <thread>

namespace ridgepoint::collector {
namespace {

CUctx_st* context(std::uintptr_t number) {
  return reinterpret_cast<CUctx_st*>(number);
}

bool free_for_another_thread(LaunchGate& gate) {
  return std::async(std::launch::async,
                    [&] {
                      const bool got = gate.launches.try_lock();
                      if (got) {
                        gate.launches.unlock();
                      }
                      return got;
                    })
      .get();
}

TEST(LaunchGates, ALaunchInOneContextDoesNotHoldUpAnother) {
  LaunchGates gates;
  LaunchGate& first = gates.of(context(16));
  EXPECT_FALSE(gates.several());
  LaunchGate& second = gates.of(context(32));
  EXPECT_TRUE(gates.several());
  EXPECT_EQ(gates.made(), 2U);
  EXPECT_EQ(&gates.of(context(16)), &first);
  const std::lock_guard<std::shared_timed_mutex> counted(first.launches);
  EXPECT_TRUE(free_for_another_thread(second));
  EXPECT_FALSE(free_for_another_thread(first));
}

TEST(LaunchGates, ANewContextIsSeenAlsoWhereOneHasEnded) {
  LaunchGates gates;
  gates.of(context(16));
  gates.of(context(32));
  gates.forget(context(32));
  EXPECT_EQ(gates.made(), 2U);
  EXPECT_EQ(gates.contexts(), std::vector<CUctx_st*>{context(16)});
  gates.of(context(48));
  EXPECT_EQ(gates.made(), 3U);
}

TEST(LaunchGates, WhoOwnsAllKeepsEveryLaunchOut) {
  LaunchGates gates;
  LaunchGate& first = gates.of(context(16));
  LaunchGate& second = gates.of(context(32));
  {
    const AllGates alone(gates);
    EXPECT_FALSE(free_for_another_thread(first));
    EXPECT_FALSE(free_for_another_thread(second));
  }
  EXPECT_TRUE(free_for_another_thread(first));
  EXPECT_TRUE(free_for_another_thread(second));
}

TEST(LaunchGates, PatienceEndsWithoutAnyGateHeld) {
  LaunchGates gates;
  LaunchGate& first = gates.of(context(16));
  LaunchGate& second = gates.of(context(32));
  const std::lock_guard<std::shared_timed_mutex> counted(second.launches);
  const bool got = std::async(std::launch::async, [&] {
                     return static_cast<bool>(AllGates(gates, std::chrono::milliseconds(5)));
                   }).get();
  EXPECT_FALSE(got);
  EXPECT_TRUE(free_for_another_thread(first));
}

TEST(LaunchGates, AContextThatEndsMakesRoomForOneOfItsAddress) {
  LaunchGates gates;
  LaunchGate& ended = gates.of(context(16));
  ended.started = true;
  gates.forget(context(16));
  EXPECT_TRUE(gates.contexts().empty());
  EXPECT_FALSE(gates.of(context(16)).started);
}

}  // namespace
}  // namespace ridgepoint::collector
