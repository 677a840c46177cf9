#include "collector/inject/launch_pace.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace ridgepoint::collector {
namespace {

std::int64_t now_ns = 0;
std::int64_t clock_ns() {
  return now_ns;
}
HeardLaunch call_of(const void* kernel) {
  HeardLaunch call;
  call.symbol = static_cast<const char*>(kernel);
  return call;
}
bool keeps_up(const HeardLaunch&) {
  return true;
}

class LaunchPaceTest : public ::testing::Test {
 protected:
  LaunchPaceTest()
      : pace({.record =
                  [this](bool on) {
                    ++switches;
                    recording = on;
                    return true;
                  },
              .keeps_up = [this](const HeardLaunch&) { return gpu_is_idle; },
              .comes_fast = [this] { ++comes_fast; }},
             clock_ns) {
    now_ns = 1'000'000'000;
  }
  // So many launches this far apart; how many of them are recorded.
  int launch(int count, std::int64_t apart_ns, const void* kernel = &now_ns) {
    int recorded = 0;
    for (int i = 0; i < count; ++i) {
      now_ns += apart_ns;
      const bool is_recorded = pace.enter(call_of(kernel));
      EXPECT_EQ(is_recorded, recording) << "its record comes when records are on, and else not";
      recorded += is_recorded ? 1 : 0;
      pace.left();
    }
    return recorded;
  }
  bool recording = true;
  bool gpu_is_idle = true;
  int comes_fast = 0;
  int switches = 0;
  LaunchPace pace;
};

TEST_F(LaunchPaceTest, AProgramThatDoesMoreThanLaunchHasEveryRecord) {
  EXPECT_EQ(launch(50'000, 8500), 50'000);
  EXPECT_EQ(switches, 0);
}

TEST_F(LaunchPaceTest, ThatLaunchesComeFastIsToldWhileTheyAreRecorded) {
  launch(1000, 8500);
  EXPECT_EQ(comes_fast, 0);
  launch(400, 3500);
  EXPECT_EQ(comes_fast, 1);
  EXPECT_EQ(switches, 0);
}

TEST_F(LaunchPaceTest, AShortBurstHasEveryRecord) {
  for (int burst = 0; burst < 20; ++burst) {
    EXPECT_EQ(launch(400, 3500), 400);
    now_ns += 10'000'000;
  }
}

TEST_F(LaunchPaceTest, AProgramThatIsAheadOfTheGpuHasEveryRecord) {
  gpu_is_idle = false;
  for (int batch = 0; batch < 20; ++batch) {
    EXPECT_EQ(launch(1024, 2000), 1024) << "as many as the driver queues";
    EXPECT_EQ(launch(200, 57'000), 200);
  }
  EXPECT_EQ(switches, 0);
  EXPECT_LT(launch(10'000, 3500), 4000) << "a GPU that takes them this fast is not behind";
}

// Switching records on again makes launches slower even when they are off again.
TEST_F(LaunchPaceTest, OfAnEndlessStreamOfLaunchesTheFirstAreRecorded) {
  const int recorded = launch(1000, 4000);
  EXPECT_GE(recorded, 64);
  EXPECT_LT(recorded, 900);
  EXPECT_EQ(launch(500'000, 4000), 0) << "in two seconds";
  EXPECT_EQ(switches, 1);
}

TEST_F(LaunchPaceTest, AKernelSeenForTheFirstTimeIsRecorded) {
  int other = 0;
  launch(1000, 4000);
  EXPECT_EQ(launch(4000, 4000), 0) << "16 ms after the first ones";
  EXPECT_EQ(launch(200, 4000, &other), 0);
  EXPECT_EQ(launch(6000, 4000), 64);
}

TEST_F(LaunchPaceTest, EveryRecordComesBackWhenTheProgramSlowsDown) {
  launch(3000, 3500);
  launch(3500, 20'000);
  EXPECT_EQ(launch(1000, 20'000), 1000);
}

TEST_F(LaunchPaceTest, OfAProgramThatLaunchesRarelyItComesBackSoon) {
  launch(3000, 3500);
  launch(768, 1'000'000);
  EXPECT_EQ(launch(1000, 1'000'000), 1000);
}

// The processor was wanted elsewhere.
TEST_F(LaunchPaceTest, SomeMillisecondsOfSlowLaunchesSwitchNothing) {
  launch(3000, 3500);
  switches = 0;
  for (int moment = 0; moment < 50; ++moment) {
    launch(4096, 3500);
    launch(1024, 20'000);
  }
  EXPECT_EQ(switches, 0);
}

TEST_F(LaunchPaceTest, APauseBetweenBurstsSwitchesNothing) {
  launch(1024, 4000);
  switches = 0;
  for (int burst = 0; burst < 100; ++burst) {
    launch(1024, 4000);
    now_ns += burst % 2 == 0 ? 2'000'000 : 1'000'000'000;
  }
  EXPECT_EQ(switches, 0);
}

// Of launches that no callback tells of.
TEST_F(LaunchPaceTest, AListedLaunchNeedsNoCallbackUntilARecordIsWanted) {
  int now = 0;
  const auto launch_listed = [&](int count, std::int64_t apart_ns) {
    int listed = 0;
    for (int i = 0; i < count; ++i) {
      now_ns += apart_ns;
      if (pace.enter_listed(call_of(&now), 0)) {
        EXPECT_FALSE(recording);
        ++listed;
        pace.left();
      } else {
        launch(1, 0, &now);
      }
    }
    return listed;
  };
  EXPECT_EQ(launch_listed(256, 4000), 0) << "each has a record";
  launch(1000, 4000, &now);
  EXPECT_EQ(launch_listed(10'000, 4000), 10'000);
  launch(1, 4000, &recording);
  EXPECT_LT(launch_listed(10'000, 4000), 10'000) << "a window, for the kernel that is new";
  launch_listed(4096, 20'000);
  EXPECT_TRUE(recording) << "slow launches have their records";
}

TEST_F(LaunchPaceTest, LaunchesThatRepeatedCountAsManyTimes) {
  int blocks = 0;
  LaunchPace counted({.record = [](bool) { return true; },
                      .keeps_up = keeps_up,
                      .listed = [&](bool) { ++blocks; }},
                     clock_ns);
  const HeardLaunch call = call_of(&now_ns);
  const auto pass = [&](int launches, auto enter) {
    for (int i = 0; i < launches; ++i) {
      now_ns += 3500;
      enter();
      counted.left();
    }
  };
  pass(2000, [&] { counted.enter(call); });
  blocks = 0;
  pass(40, [&] {
    now_ns += 255 * std::int64_t{3500};
    EXPECT_TRUE(counted.enter_listed(call, 255));
  });
  EXPECT_EQ(blocks, 40);
}

TEST_F(LaunchPaceTest, RecordsAreNotSwitchedOnWhileLaunchesAreMadeThatDidNotEnter) {
  bool quiet = false;
  bool on = true;
  LaunchPace patient({.record = [&](bool now) { return on = now, true; },
                      .quiet = [&] { return quiet; },
                      .keeps_up = keeps_up},
                     clock_ns);
  const auto launches = [&](int count, std::int64_t apart_ns) {
    for (int i = 0; i < count; ++i) {
      now_ns += apart_ns;
      patient.enter(call_of(&now_ns));
      patient.left();
    }
  };
  launches(2000, 3500);
  ASSERT_FALSE(on);
  launches(8000, 20'000);
  EXPECT_FALSE(on) << "slow enough, but not quiet";
  quiet = true;
  launches(600, 20'000);
  EXPECT_TRUE(on);
}

TEST_F(LaunchPaceTest, RecordsAreNotSwitchedWhileAnotherThreadIsInsideALaunch) {
  launch(100, 3500);
  ASSERT_TRUE(pace.enter(call_of(&now_ns)));  // does not return yet
  EXPECT_EQ(launch(5000, 3500), 5000);
  pace.left();
  launch(2048, 3500);
  EXPECT_GT(switches, 0);
}

TEST_F(LaunchPaceTest, RecordsThatCannotBeSwitchedStayOn) {
  LaunchPace stubborn({.record = [](bool) { return false; }, .keeps_up = keeps_up}, clock_ns);
  for (int i = 0; i < 5000; ++i) {
    now_ns += 3500;
    ASSERT_TRUE(stubborn.enter(call_of(&now_ns)));
    stubborn.left();
  }
}

TEST_F(LaunchPaceTest, KernelsThatWereRecordedAreNotNewLater) {
  std::vector<int> kernels(400);  // more than have a place of their own
  const auto launch_all = [&] {
    for (const int& kernel : kernels) {
      launch(1, 4000, &kernel);
    }
  };
  launch_all();
  launch(1000, 4000);
  switches = 0;
  for (int round = 0; round < 100; ++round) {
    launch_all();
  }
  EXPECT_EQ(switches, 0);
}

// What enter() says holds whatever other threads do meanwhile.
TEST(LaunchPaceThreads, NoLaunchIsWronglyTakenForRecorded) {
  static std::atomic<std::int64_t> looks{0};
  std::atomic<bool> recording{true};
  std::atomic<int> switches{0};
  LaunchPace pace({.record =
                       [&](bool on) {
                         ++switches;
                         recording = on;
                         return true;
                       },
                   .keeps_up = keeps_up},
                  [] { return ++looks * 100'000; });  // fast, and time for a window now and then
  std::atomic<int> wrong{0};
  std::atomic<int> unrecorded{0};
  constexpr std::size_t launches_each = 2000;
  constexpr std::size_t kernels_a_round = 25;
  constexpr std::size_t most_rounds = 40;
  const std::vector<int> kernels(kernels_a_round * most_rounds);
  // Records are switched when by chance no other thread is inside, mostly in the first round.
  for (std::size_t round = 0; round < most_rounds && switches <= 1; ++round) {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, first = round * kernels_a_round] {
        for (std::size_t i = 0; i < launches_each * kernels_a_round; ++i) {
          const bool says = pace.enter(call_of(&kernels[first + i / launches_each]));
          wrong += says != recording ? 1 : 0;
          unrecorded += says ? 0 : 1;
          pace.left();
        }
      });
    }
    for (std::thread& thread : threads) {
      thread.join();
    }
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(unrecorded, 0);
  EXPECT_GT(switches, 1) << "for kernels that are new";
}

}  // namespace
}  // namespace ridgepoint::collector
