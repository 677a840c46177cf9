#include "collector/inject/launch_detour.h"

#include <cupti_driver_cbid.h>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "collector/inject/launch_parameters.h"
#include "collector/replay/own_calls.h"

namespace ridgepoint::collector {
namespace {

int a_function;
int our_function;
int kernels[8];
int contexts[2];

// The program's pointer is a word of a library; its launches go through what is under test when
// that word says so.
class LaunchDetourTest : public ::testing::Test {
 protected:
  LaunchDetourTest()
      : library(dlopen(RIDGEPOINT_LAUNCHING_LIBRARY, RTLD_NOW)),
        pointer(static_cast<const void**>(dlsym(library, "page_of_words"))),
        detour({.hear =
                    [this](bool on) {
                      hears = on;
                      return true;
                    },
                .list =
                    [this](const HeardLaunch& launch, Stretch::Word) {
                      listed_names.emplace_back(launch.symbol);
                      return wants_callbacks ? nullptr : &a_thread();
                    },
                .listed = [this](UntimedLaunches::Thread&,
                                 bool launched) { listed += launched ? 1 : 0; },
                .repeat_failed = [] {},
                .current_context = [this] { return context(current); },
                .work_waits = [this] { ++work_waits; }},
               {{"cuRidgepointTest", &a_function, &our_function}}, {}, stretch) {
    *pointer = &a_function;
  }
  ~LaunchDetourTest() override { dlclose(library); }
  static UntimedLaunches::Thread& a_thread() {
    return *reinterpret_cast<UntimedLaunches::Thread*>(&a_function);  // is only handed back
  }
  static CUctx_st* context(int number) { return reinterpret_cast<CUctx_st*>(&contexts[number]); }
  static CUfunction kernel(int number) { return reinterpret_cast<CUfunction>(&kernels[number]); }

  // What the driver, CUPTI and the pointer do together.
  void launch(int number, bool by_pointer = true) {
    LaunchKernelPlainParameters parameters = {};
    parameters.f = kernel(number);
    constexpr std::uint32_t id = CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel;
    const bool ours = by_pointer && *pointer == &our_function;
    LaunchDetour::Way way = LaunchDetour::Way::direct;
    if (ours) {
      way = detour.begin({id, &parameters, kernel(number), nullptr});
    }
    const bool tells = hears && !LaunchDetour::is_listed_here();
    if (tells) {
      ++heard;
      HeardLaunch call;
      call.context = context(current);
      call.id = id;
      call.parameters = &parameters;
      call.symbol = "a kernel";
      detour.heard(call);
    }
    if (tells) {
      detour.heard_ends();
    }
    if (ours) {
      detour.end(way, true);
    }
  }
  void launch_all(int count, int number = 0) {
    for (int i = 0; i < count; ++i) {
      launch(number);
    }
  }
  // As the launches of a block that were all listed.
  void block() {
    detour.block_ended(true);
    detour.work();
  }
  // Enough launches by the pointer, and the one that callbacks go before.
  void prove() {
    launch_all(LaunchDetour::first_proof);
    block();
    launch(0);
  }
  void go_alone() {
    block();
    prove();
    ASSERT_FALSE(hears);
  }

  void* const library;
  const void** const pointer;
  bool hears = true;
  bool wants_callbacks = false;
  int current = 0;
  int heard = 0;
  int listed = 0;
  int work_waits = 0;
  std::vector<std::string> listed_names;
  Stretch stretch;
  LaunchDetour detour;
};

TEST_F(LaunchDetourTest, CallbacksAreSwitchedOffOnceEveryLaunchIsSeenToComeByThePointer) {
  launch_all(100);
  block();
  EXPECT_EQ(*pointer, &our_function);
  launch_all(LaunchDetour::first_proof - 1);
  block();
  launch(0);
  EXPECT_TRUE(hears) << "not all of the proof is there";
  block();
  launch(0);
  EXPECT_FALSE(hears);
  heard = 0;
  listed = 0;
  launch_all(500);
  EXPECT_EQ(heard, 0);
  EXPECT_EQ(listed, 500);
  EXPECT_EQ(listed_names.back(), "a kernel");
}

// What a program does while its launches are recorded counts as well.
TEST_F(LaunchDetourTest, WhoLooksAheadSwitchesCallbacksOffWithTheFirstBlock) {
  detour.look_ahead();
  EXPECT_EQ(work_waits, 1);
  detour.work();
  EXPECT_EQ(*pointer, &our_function);
  launch_all(LaunchDetour::first_proof);
  launch(0);
  EXPECT_TRUE(hears) << "records are on";
  block();
  launch(0);
  EXPECT_FALSE(hears);
}

TEST_F(LaunchDetourTest, ALaunchThatComesOtherwisePutsThePointersBackForGood) {
  block();
  launch_all(LaunchDetour::grace);
  launch_all(100);
  launch(0, false);
  launch_all(LaunchDetour::first_proof);
  block();
  EXPECT_EQ(*pointer, &a_function);
  launch_all(5000);
  block();
  launch_all(5000);
  block();
  EXPECT_TRUE(hears);
  EXPECT_EQ(*pointer, &a_function);
}

// It had read its pointer before that was changed.
TEST_F(LaunchDetourTest, ACallThatWasUnderWayIsForgiven) {
  block();
  launch(0, false);
  launch_all(LaunchDetour::first_proof);
  block();
  launch(0);
  EXPECT_FALSE(hears);
}

TEST_F(LaunchDetourTest, AKernelThatIsNotKnownIsHeardByACallback) {
  go_alone();
  heard = 0;
  launch(1);
  EXPECT_EQ(heard, 1);
  EXPECT_TRUE(hears);
  launch_all(LaunchDetour::proof);
  block();
  launch(1);
  EXPECT_FALSE(hears);
}

TEST_F(LaunchDetourTest, CodeThatComesOrGoesIsAReasonToListenAgain) {
  for (const bool handles_end : {false, true}) {
    go_alone();
    detour.code_changes(handles_end);
    EXPECT_TRUE(hears);
  }
  launch_all(LaunchDetour::proof);
  block();
  launch(0);
  EXPECT_FALSE(hears) << "it is known again";
  heard = 0;
  detour.code_changes(true);
  launch(0);
  EXPECT_EQ(heard, 1);
}

TEST_F(LaunchDetourTest, ALibraryThatComesIsLookedThroughFirst) {
  go_alone();
  const std::string copy =
      ::testing::TempDir() + "/ridgepoint_late_" + std::to_string(getpid()) + ".so";
  std::filesystem::copy_file(RIDGEPOINT_EXITING_LIBRARY, copy);
  void* const late = dlopen(copy.c_str(), RTLD_NOW);
  ASSERT_NE(late, nullptr) << dlerror();
  const int waited = work_waits;
  detour.block_ended(true);
  EXPECT_TRUE(hears);
  EXPECT_EQ(work_waits, waited + 1);
  launch_all(LaunchDetour::first_proof);
  detour.block_ended(true);
  launch(0);
  EXPECT_TRUE(hears) << "not looked through yet";
  detour.work();
  prove();
  EXPECT_FALSE(hears);
  dlclose(late);
  std::filesystem::remove(copy);
}

TEST_F(LaunchDetourTest, ALaunchThatIsToHaveARecordIsHeard) {
  go_alone();
  wants_callbacks = true;
  heard = 0;
  launch(0);
  EXPECT_EQ(heard, 1);
}

TEST_F(LaunchDetourTest, TheSameHandleInAnotherContextIsNotKnown) {
  detour.context_made();
  detour.context_made();
  go_alone();
  current = 1;
  heard = 0;
  launch(0);
  EXPECT_EQ(heard, 1);
}

TEST_F(LaunchDetourTest, GivenUpItIsForGood) {
  go_alone();
  detour.give_up();
  detour.work();
  EXPECT_TRUE(hears);
  EXPECT_EQ(*pointer, &a_function);
}

TEST_F(LaunchDetourTest, NothingIsSwitchedOffWhileALaunchIsBetweenItsCallbacks) {
  block();
  launch_all(LaunchDetour::first_proof);
  detour.block_ended(true);
  // Another thread's would look the same: it says that it relies on callbacks.
  LaunchKernelPlainParameters parameters = {};
  std::thread other([&] {
    launch_all(0);
    const auto way =
        detour.begin({CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, &parameters, kernel(3), nullptr});
    EXPECT_EQ(way, LaunchDetour::Way::heard);
    std::thread third([&] { launch(0); });
    third.join();
    EXPECT_TRUE(hears);
    detour.end(way, true);
  });
  other.join();
}

// It had read its pointer before that was changed, and waits in the driver.
TEST_F(LaunchDetourTest, NorWhileOneIsThatCameByTheOldPointer) {
  std::atomic<bool> entered{false};
  std::atomic<bool> returns{false};
  std::thread other([&] {
    LaunchKernelPlainParameters parameters = {};
    HeardLaunch call;
    call.id = CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel;
    call.parameters = &parameters;
    detour.heard(call);
    entered = true;
    while (!returns) {
      std::this_thread::yield();
    }
    detour.heard_ends();
  });
  while (!entered) {
    std::this_thread::yield();
  }
  block();
  launch_all(LaunchDetour::first_proof);
  block();
  launch_all(2);
  EXPECT_TRUE(hears) << "CUPTI would not tell of its end";
  returns = true;
  other.join();
  launch(0);
  EXPECT_FALSE(hears);
}

// Its data is new, and so are its pointers.
TEST_F(LaunchDetourTest, ALibraryThatIsLoadedAgainInTheSamePlaceIsLookedThrough) {
  const std::string copy =
      ::testing::TempDir() + "/ridgepoint_again_" + std::to_string(getpid()) + ".so";
  std::filesystem::copy_file(RIDGEPOINT_EXITING_LIBRARY, copy);
  void* late = dlopen(copy.c_str(), RTLD_NOW);
  ASSERT_NE(late, nullptr) << dlerror();
  go_alone();
  dlclose(late);
  late = dlopen(copy.c_str(), RTLD_NOW);
  detour.work();  // no launch comes through ours meanwhile
  EXPECT_TRUE(hears);
  prove();
  EXPECT_FALSE(hears);
  dlclose(late);
  std::filesystem::remove(copy);
}

}  // namespace
}  // namespace ridgepoint::collector
