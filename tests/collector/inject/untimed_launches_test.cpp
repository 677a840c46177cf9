#include "collector/inject/untimed_launches.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <map>
#include <thread>

#include "collector/cupti/cupti_api.h"
#include "collector/inject/launch_parameters.h"

namespace ridgepoint::collector {
namespace {

std::int64_t wall_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

class UntimedLaunchesTest : public ::testing::Test {
 protected:
  UntimedLaunchesTest() {
    api.cuptiGetDeviceId = [](CUcontext, std::uint32_t* device) {
      *device = 0;
      return CUPTI_SUCCESS;
    };
    api.cuptiGetStreamIdEx = [](CUcontext, CUstream, std::uint8_t, std::uint32_t* stream) {
      *stream = 7;
      return CUPTI_SUCCESS;
    };
  }
  UntimedLaunches::Thread& begin(const char* name, unsigned blocks) {
    LaunchKernelPlainParameters parameters = {};
    parameters.gridDimX = blocks;
    parameters.gridDimY = parameters.gridDimZ = 1;
    parameters.blockDimX = parameters.blockDimY = parameters.blockDimZ = 1;
    HeardLaunch call;
    call.id = CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel;
    call.parameters = &parameters;
    call.symbol = name;
    return launches.begin(call, no_index);
  }
  void launch(const char* name, unsigned blocks) { UntimedLaunches::made(begin(name, blocks)); }
  Session take() {
    launches.hand_on(recorder, true);
    recorder.describe_device(0, DeviceInfo());
    return recorder.take(Recorder::Part::everything).value_or(Session());
  }
  CuptiApi api;
  UntimedLaunches launches{api, wall_ns};
  Recorder recorder{Recorder::Keep::every_launch};
};

TEST_F(UntimedLaunchesTest, ALaunchIsItsKernelItsShapeAndWhenItWasMade) {
  const std::int64_t before = wall_ns();
  launch("first", 3);
  launch("second", 4);
  launch("first", 5);
  const Session session = take();
  const std::int64_t after = wall_ns();
  ASSERT_EQ(session.launches.size(), 3U);
  EXPECT_EQ(session.kernels[session.launches[0].kernel].mangled, "first");
  EXPECT_EQ(session.kernels[session.launches[1].kernel].mangled, "second");
  EXPECT_EQ(session.launches[0].kernel, session.launches[2].kernel);
  EXPECT_EQ(session.launches[2].grid.x, 5U);
  EXPECT_EQ(session.launches[1].stream, 7U);
  constexpr std::int64_t clock_error_ns = 1'000'000;
  for (const Launch& row : session.launches) {
    EXPECT_GT(row.start_ns, before - clock_error_ns);
    EXPECT_LT(row.start_ns, after + clock_error_ns);
    EXPECT_EQ(row.end_ns, row.start_ns) << "no time on the GPU is known";
  }
  EXPECT_LE(session.launches[0].start_ns, session.launches[2].start_ns);
}

TEST_F(UntimedLaunchesTest, AFailedLaunchIsNone) {
  begin("fails", 1);
  launch("works", 1);
  EXPECT_EQ(launches.count(), 1U);
  const Session session = take();
  ASSERT_EQ(session.launches.size(), 1U);
  EXPECT_EQ(session.kernels[session.launches[0].kernel].mangled, "works");
}

TEST_F(UntimedLaunchesTest, EachThreadsDefaultStreamIsItsOwn) {
  api.cuptiGetStreamIdEx = [](CUcontext, CUstream, std::uint8_t per_thread, std::uint32_t* stream) {
    static std::atomic<std::uint32_t> next{20};
    *stream = per_thread != 0 ? next++ : 7;
    return CUPTI_SUCCESS;
  };
  const auto launch_here = [&](std::uint32_t id) {
    const LaunchKernelPlainParameters parameters = {};
    HeardLaunch call;
    call.id = id;
    call.parameters = &parameters;
    call.symbol = "k";
    UntimedLaunches::made(launches.begin(call, no_index));
  };
  const auto launch_both = [&] {
    launch_here(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz);
    launch_here(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel);
    launch_here(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz);
  };
  launch_both();
  std::thread other(launch_both);
  other.join();
  std::map<std::uint32_t, int> streams;
  for (const Launch& launch : take().launches) {
    ++streams[launch.stream];
  }
  EXPECT_EQ(streams, (std::map<std::uint32_t, int>{{7, 2}, {20, 2}, {21, 2}}));
}

class RepeatedLaunch : public UntimedLaunchesTest {
 protected:
  static constexpr PlainLaunch said{
      nullptr, nullptr, {3, 1, 1, 1, 1, 1, 0}, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel};
  RepeatedLaunch() {
    stretch.set(1);
    launch_slowly();
  }
  void launch_slowly() {
    const Stretch::Word now = stretch.now();
    UntimedLaunches::Thread& thread = begin("k", 3);
    UntimedLaunches::may_repeat(thread, said, now);
    UntimedLaunches::made(thread);
  }
  bool repeat(const PlainLaunch& launch, bool made = true) {
    UntimedLaunches::Thread* thread = UntimedLaunches::repeat(launch, stretch);
    if (thread != nullptr) {
      EXPECT_TRUE(UntimedLaunches::repeats_here());
      EXPECT_TRUE(launches.any_repeats());
      UntimedLaunches::repeat_ends(*thread, made);
    }
    EXPECT_FALSE(UntimedLaunches::repeats_here());
    return thread != nullptr;
  }
  Stretch stretch;
};

TEST_F(RepeatedLaunch, IsListedAsTheOneThatItRepeats) {
  EXPECT_TRUE(repeat(said));
  EXPECT_TRUE(repeat(said));
  const Session session = take();
  ASSERT_EQ(session.launches.size(), 3U);
  for (const Launch& launch : session.launches) {
    EXPECT_EQ(session.kernels[launch.kernel].mangled, "k");
    EXPECT_EQ(launch.grid.x, 3U);
    EXPECT_EQ(launch.stream, 7U);
  }
  EXPECT_LT(session.launches[1].start_ns, session.launches[2].start_ns);
}

TEST_F(RepeatedLaunch, ThatSaysAnythingElseIsNone) {
  PlainLaunch other = said;
  other.size[6] = 1024;
  EXPECT_FALSE(repeat(other)) << "shared memory";
  other = said;
  other.id = CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz;
  EXPECT_FALSE(repeat(other)) << "another default stream";
  for (unsigned blocks = 4; blocks < 1000; ++blocks) {  // some of them in the same place
    other = said;
    other.size[0] = blocks;
    EXPECT_FALSE(repeat(other)) << "another grid";
  }
  EXPECT_TRUE(repeat(said));
}

TEST_F(RepeatedLaunch, IsNoneInAnotherStretch) {
  stretch.set(2);
  EXPECT_FALSE(repeat(said));
  stretch.set(0);
  EXPECT_FALSE(repeat(said));
  launch_slowly();
  EXPECT_FALSE(repeat(said)) << "there is no stretch to say it of";
}

TEST_F(RepeatedLaunch, IsNoneWhileItIsHeldBack) {
  stretch.hold();
  stretch.hold();
  EXPECT_FALSE(repeat(said));
  launch_slowly();
  EXPECT_FALSE(repeat(said));
  stretch.let_go();
  EXPECT_FALSE(repeat(said));
  stretch.let_go();
  EXPECT_TRUE(repeat(said));
}

TEST_F(RepeatedLaunch, ThatFailsIsNotListed) {
  EXPECT_TRUE(repeat(said, false));
  EXPECT_EQ(launches.count(), 1U);
  EXPECT_EQ(take().launches.size(), 1U);
}

TEST_F(RepeatedLaunch, IsAskedAboutNowAndThen) {
  std::uint32_t repeats = 0;
  while (repeat(said)) {
    ++repeats;
  }
  EXPECT_EQ(repeats, UntimedLaunches::most_repeats);
  EXPECT_EQ(launches.take_repeats(), repeats);
  EXPECT_EQ(launches.take_repeats(), 0U);
  launch_slowly();
  EXPECT_EQ(launches.take_repeats(), 0U);
  EXPECT_TRUE(repeat(said));
}

TEST_F(RepeatedLaunch, OfAnotherThreadIsItsOwn) {
  std::thread other([&] { EXPECT_FALSE(repeat(said)) << "it has launched nothing before"; });
  other.join();
}

// Whoever ends a stretch knows then who is still in a launch of it.
TEST_F(RepeatedLaunch, NoneBeginsUnseenWhenTheStretchEnds) {
  std::atomic<bool> stop{false};
  std::atomic<bool> ended{false};
  std::atomic<int> late{0};
  std::thread other([&] {
    while (!stop) {
      launch_slowly();
      if (UntimedLaunches::Thread* repeats = UntimedLaunches::repeat(said, stretch)) {
        late += ended ? 1 : 0;
        UntimedLaunches::repeat_ends(*repeats, true);
      }
    }
  });
  for (std::uint32_t number = 2; number < 2000; ++number) {
    stretch.set(number);
    std::this_thread::yield();
    stretch.set(0);
    while (launches.any_repeats()) {
    }
    ended = true;
    std::this_thread::yield();
    ended = false;
  }
  stop = true;
  other.join();
  EXPECT_EQ(late, 0);
}

TEST_F(UntimedLaunchesTest, OneWhoseKernelIsNotKnownYetWaitsForIt) {
  launch("first", 1);
  launches.hand_on(recorder, false);
  EXPECT_FALSE(recorder.undescribed_device()) << "nothing was handed on";
  KernelRecord record;
  record.mangled = "first";
  record.registers_per_thread = 40;
  recorder.record(0, record);
  const Session session = take();
  EXPECT_EQ(session.launches.size(), 2U);
  ASSERT_EQ(session.kernels.size(), 1U);
}

TEST_F(UntimedLaunchesTest, EveryLaunchOfThreadsThatComeAndGoIsKept) {
  constexpr unsigned each = 5000;
  constexpr unsigned kinds = 40;  // more than a thread remembers
  const std::vector<std::string> names = {"first", "second"};
  std::atomic<int> running{4};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (unsigned i = 0; i < each; ++i) {
        launch(names[i % 2].c_str(), i % kinds);
      }
      --running;
    });
  }
  while (running > 0) {
    launches.hand_on(recorder, true);
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  const Session session = take();
  EXPECT_EQ(launches.count(), 4 * each);
  ASSERT_EQ(session.launches.size(), 4 * each);
  std::map<std::uint32_t, unsigned> by_grid;
  for (const Launch& row : session.launches) {
    ++by_grid[row.grid.x];
    EXPECT_EQ(session.kernels[row.kernel].mangled, names[row.grid.x % 2]);
  }
  ASSERT_EQ(by_grid.size(), kinds);
  for (const auto& [grid, count] : by_grid) {
    EXPECT_EQ(count, 4 * each / kinds) << grid;
  }
}

}  // namespace
}  // namespace ridgepoint::collector
