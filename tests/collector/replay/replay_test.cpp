// Kernels that run again for their counters, in a whole process with a fake GPU whose kernels add
// one to a number in device memory. "value N" is what the program finds there at the end: the
// number of its launches, however often they ran again. The counters of launch n read n when its
// memory was that of launch n.
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/collector/inject/fake_gpu_run.h"
#include "tests/collector/replay/small_cubin.h"

namespace ridgepoint {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class Replay : public test::FakeGpuRun {
 protected:
  Replay() { setenv("FAKE_CUPTI_PASSES", "3", 1); }
  test::ProgramResult profile(const std::string& acts, std::vector<std::string> options = {}) {
    options.insert(options.begin(), {"-q", "--force", "-c", "default"});
    return profile_acts(options, "init " + acts);
  }
  // NaN, which equals nothing, as -1.
  static std::vector<double> counted(const Session& session) {
    if (session.counters.columns.empty()) {
      return std::vector<double>(session.launches.size(), -1);
    }
    std::vector<double> values = session.counters.columns[0];
    std::replace_if(
        values.begin(), values.end(), [](double v) { return std::isnan(v); }, -1);
    return values;
  }
};

TEST_F(Replay, EveryLaunchIsCountedFromItsOwnMemoryAndTheProgramSeesOneRun) {
  for (const char* cache : {"flush", "none", "warm"}) {
    const auto result = profile("alloc 64 launch add 70 value", {"--cache-control", cache});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, "value 70\n") << cache;
    const Session s = session();
    ASSERT_EQ(s.launches.size(), 70U);
    for (std::size_t i = 0; i < 70; ++i) {
      EXPECT_EQ(counted(s)[i], static_cast<double>(i + 1)) << cache;
    }
    EXPECT_EQ(s.policy.passes, 3);
    EXPECT_EQ(s.policy.replay_mode, "kernel");
    EXPECT_EQ(s.policy.cache_control.rfind(cache, 0), 0U) << s.policy.cache_control;
    EXPECT_TRUE(s.issues.empty()) << s.issues[0].text;
  }
}

TEST_F(Replay, L2IsInvalidatedWhereThatHasAnEffectAndFilledElsewhere) {
  const std::vector<std::pair<const char*, const char*>> ways = {
      {"invalidated", "L2 is written back and invalidated"},
      {"left", "L2 is filled with clean lines of another buffer"}};
  for (const auto& [does, says] : ways) {
    setenv("FAKE_CUDA_L2", does, 1);
    for (const char* cache : {"flush", "none"}) {
      EXPECT_EQ(profile("alloc 64 launch add 40 value", {"--cache-control", cache}).out,
                "value 40\n");
      const Session s = session();
      EXPECT_EQ(s.policy.cache_control.find(says) != std::string::npos,
                std::string(cache) == "flush")
          << s.policy.cache_control;
      EXPECT_EQ(counted(s).front(), 1) << cache << does;
      EXPECT_EQ(counted(s).back(), 40) << cache << does;
      if (std::string(does) == "left" && std::string(cache) == "flush") {
        EXPECT_THAT(codes(s), ElementsAre("replay.l2_filled"));
        EXPECT_THAT(s.issues[0].text, HasSubstr("but loads take no longer"));
      } else {
        EXPECT_TRUE(s.issues.empty()) << s.issues[0].text;
      }
    }
  }
}

TEST_F(Replay, ASessionSaysWhyL2CouldNotBeEmptied) {
  unsetenv("FAKE_CUDA_L2");
  EXPECT_EQ(profile("alloc 64 launch add 2 value").out, "value 2\n");
  const Session s = session();
  EXPECT_THAT(counted(s), ElementsAre(1, 2));
  EXPECT_THAT(codes(s), ElementsAre("replay.l2_filled"));
  EXPECT_THAT(s.issues[0].text, HasSubstr("/dev/nvidiactl: No such file or directory"));
}

TEST_F(Replay, ARefusalToEmptyL2CostsTheCountersOfItsBatchAlone) {
  setenv("FAKE_CUDA_FAIL", "flush@10", 1);  // two for each of the measurements, and for a launch
  const auto result = profile("alloc 64 launch add 2 free alloc 64 launch add 2 value");
  EXPECT_EQ(result.out, "value 2\n");
  const Session s = session();
  EXPECT_THAT(codes(s), ElementsAre("counters.unavailable", "replay.l2_filled"));
  EXPECT_THAT(s.issues[0].text, HasSubstr("kernel driver to empty L2: status 0x65"));
  EXPECT_THAT(s.issues[1].text, HasSubstr("status 0x65"));
  EXPECT_THAT(counted(s), ElementsAre(-1, -1, 1, 2));
  EXPECT_THAT(s.policy.cache_control, HasSubstr("clean lines of another buffer"));
}

// It empties nothing: another program's L2 stays as it is, and no memory is taken for it.
TEST_F(Replay, WarmAsksNobodyToEmptyL2) {
  setenv("FAKE_CUDA_L2", "forbidden", 1);
  EXPECT_EQ(profile("alloc 64 launch add 2 value", {"--pass-exit-code"}).exit_code, 128 + SIGSYS);
  EXPECT_EQ(profile("alloc 64 launch add 2 value", {"--cache-control", "warm"}).out, "value 2\n");
  EXPECT_THAT(counted(session()), ElementsAre(1, 2));
}

// One launch that cannot run again is written down before L2 was ever to be emptied.
TEST_F(Replay, AKilledProgramsSessionNamesTheWayOfEmptyingL2) {
  profile("alloc 64 launch ncclKernel 1 sleep 700 launch add 2 free sleep 700 killed 9");
  EXPECT_THAT(counted(session()), ElementsAre(-1, 2, 3));
  EXPECT_THAT(session().policy.cache_control, HasSubstr("L2 is written back and invalidated"));
}

// What the driver does about its instruction caches when code is loaded is what flush is made of.
TEST_F(Replay, FreshCodeIsLoadedBeforeEachRunWithFlushAndNotOtherwise) {
  // Of 2 launches, each of a kernel that is loaded, in 3 passes the last would come without it.
  setenv("FAKE_CUDA_FAIL", "cuFuncLoad@8", 1);
  EXPECT_EQ(profile("alloc 64 launch add 2 value", {"--cache-control", "flush"}).out, "value 2\n");
  EXPECT_THAT(counted(session()), Each(-1)) << "no value with caches in another state";
  EXPECT_THAT(codes(session()), Contains("counters.unavailable"));
  setenv("FAKE_CUDA_FAIL", "cuFuncLoad@9", 1);
  profile("alloc 64 launch add 2 value", {"--cache-control", "flush"});
  EXPECT_THAT(counted(session()), ElementsAre(1, 2));
  setenv("FAKE_CUDA_FAIL", "cuLinkCreate", 1);
  for (const char* cache : {"none", "warm"}) {
    profile("alloc 64 launch add 2 value", {"--cache-control", cache});
    EXPECT_THAT(counted(session()), ElementsAre(1, 2)) << cache;
  }
}

TEST_F(Replay, WithoutFreshCodeNothingRunsAgain) {
  for (const char* call : {"cuLinkCreate", "cuLinkAddData", "cuLinkComplete"}) {
    setenv("FAKE_CUDA_FAIL", call, 1);
    EXPECT_EQ(profile("alloc 64 launch add 2 value").out, "value 2\n") << call;
    const Session s = session();
    EXPECT_THAT(codes(s), Contains("replay.unavailable")) << call;
    EXPECT_THAT(s.issues[0].text, HasSubstr("emptying the instruction caches"));
  }
}

// CUPTI's records of kernels need code added to them, which would be counted.
TEST_F(Replay, LaunchesAreDescribedByTheDriverAndTimedByTheirCounter) {
  profile("alloc 64 launch add 3");
  const Session s = session();
  EXPECT_EQ(s.kernels.at(0).registers_per_thread, 40);
  EXPECT_EQ(s.launches.at(0).stream, 7U);
  EXPECT_LT(s.launches.at(0).start_ns, s.launches.at(2).start_ns);
  EXPECT_EQ(s.launches.at(2).end_ns, s.launches.at(2).start_ns) << "its end is not known";
  ASSERT_NE(s.counters.find("gpu__time_duration.sum"), nullptr);
}

TEST_F(Replay, OnePassRunsNothingTwiceUnlessCachesAreToBeControlled) {
  setenv("FAKE_CUPTI_PASSES", "1", 1);
  // No device memory can be had for copies: whatever needs none goes on.
  setenv("FAKE_CUDA_FREE_MB", "0", 1);
  profile("alloc 64 launch add 3");
  EXPECT_TRUE(session().issues.empty());
  EXPECT_EQ(session().policy.replay_mode, "none");
  unsetenv("FAKE_CUDA_FREE_MB");
  profile("alloc 64 launch add 3 value", {"--cache-control", "flush"});
  EXPECT_EQ(session().policy.replay_mode, "kernel");
  EXPECT_THAT(counted(session()), ElementsAre(1, 2, 3));
}

// CUPTI has been seen to give 0 for all of them, for kernels that run such instructions.
TEST_F(Replay, CountsOfPatchedCodeThatDoNotComeAreNotMeasuredRatherThanZero) {
  setenv("FAKE_CUPTI_PATCHES", "0", 1);
  const auto result = profile("alloc 64 launch add 3 value");
  unsetenv("FAKE_CUPTI_PATCHES");
  EXPECT_EQ(result.out, "value 3\n");
  const Session s = session();
  EXPECT_THAT(codes(s), ElementsAre("counters.not_patched"));
  const std::vector<double>* fma =
      s.counters.find("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum");
  ASSERT_NE(fma, nullptr);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(std::isnan((*fma)[i]));
    EXPECT_EQ(counted(s)[i], static_cast<double>(i + 1)) << "the others are there";
  }
}

TEST_F(Replay, TooLittleMemoryIsSaidAndTheOnePassSetIsUsed) {
  setenv("FAKE_CUDA_FREE_MB", "500", 1);
  const auto result = profile("alloc 64 launch add 3 value");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "value 3\n");
  const Session s = session();
  EXPECT_THAT(codes(s), Contains("replay.memory"));
  EXPECT_THAT(codes(s), Contains("counters.not_replayed"));
  EXPECT_EQ(s.launches.size(), 3U);
}

TEST_F(Replay, AFailedSaveIsSaidAndTheProgramGoesOn) {
  setenv("FAKE_CUDA_FAIL", "cuMemcpyDtoD", 1);
  const auto result = profile("alloc 64 launch add 3 value");
  EXPECT_EQ(result.out, "value 3\n");
  const Session s = session();
  EXPECT_THAT(codes(s), Contains("replay.memory"));
  EXPECT_THAT(s.issues[0].text, HasSubstr("FAKE_CUDA_ERROR"));
}

TEST_F(Replay, ABatchThatFailsAmongItsPassesLeavesTheNextOnesWhole) {
  unsetenv("FAKE_CUDA_L2");                           // so that L2 is emptied by reading
  setenv("FAKE_CUDA_FAIL", "ridgepoint_read@4!", 1);  // of 2 launches in 3 passes
  const auto result = profile("alloc 64 launch add 2 free alloc 64 launch add 2 value");
  EXPECT_EQ(result.out, "value 2\n");
  EXPECT_THAT(codes(session()), ElementsAre("counters.unavailable", "replay.l2_filled"));
  EXPECT_THAT(counted(session()), ElementsAre(-1, -1, 1, 2));
}

TEST_F(Replay, AFailedRestoreIsNeverSilent) {
  // The first restores, of the replay, go well; those that put the program's memory back do not.
  setenv("FAKE_CUDA_FAIL", "ridgepoint_restore@11,cuMemcpyDtoD@5", 1);
  const auto result = profile("alloc 64 launch add 3 value");
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_THAT(result.err, HasSubstr("could not be restored"));
  EXPECT_THAT(codes(session()), Contains("replay.restore_failed"));
}

TEST_F(Replay, ARestoreThatFailsOnceIsMadeByCopying) {
  setenv("FAKE_CUDA_FAIL", "ridgepoint_restore", 1);
  const auto result = profile("alloc 64 launch add 3 value launch add 1 value");
  EXPECT_EQ(result.out, "value 3\nvalue 4\n");
  EXPECT_THAT(codes(session()), Not(Contains("replay.restore_failed")));
  EXPECT_THAT(counted(session()), Each(-1)) << "no value from memory of another launch";
}

TEST_F(Replay, AKernelThatWaitsForAPeerIsFoundOutAndTheOthersAreCounted) {
  setenv("FAKE_CUDA_HANG", "until restored", 1);
  const auto result =
      profile("alloc 64 launch add 1 launch hang 1 launch add 1 value launch hang 1",
              {"--replay-timeout", "0.05"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "value 3\n");
  const Session s = session();
  EXPECT_THAT(codes(s), Contains("replay.waits"));
  EXPECT_THAT(counted(s), ElementsAre(1, -1, 3, -1));
}

TEST_F(Replay, AKernelThatNeverEndsCostsTheCountersAndNotTheProgram) {
  setenv("FAKE_CUDA_HANG", "forever", 1);
  const auto result = profile("alloc 64 launch add 1 launch hang 1 free launch add 5 say done",
                              {"--replay-timeout", "0.05"});
  EXPECT_EQ(result.out, "done\n") << "the program finishes";
  EXPECT_EQ(result.exit_code, 5) << result.err;
  EXPECT_THAT(result.err, HasSubstr("does not end"));
  const Session s = session();
  EXPECT_THAT(codes(s), Contains("replay.hung"));
  EXPECT_EQ(s.launches.size(), 7U);
}

TEST_F(Replay, KernelsNamedByNoReplayRunOnce) {
  // The first restore would fail: none is made.
  setenv("FAKE_CUDA_FAIL", "cuMemAlloc", 1);
  profile("alloc 64 launch ncclKernel 2 value");
  EXPECT_THAT(codes(session()), ElementsAre("counters.not_replayed"));
}

TEST_F(Replay, MemoryThatIsFreedIsReplayedBefore) {
  const auto result = profile("alloc 64 launch add 3 value free alloc 128 launch add 2 value free");
  EXPECT_EQ(result.out, "value 3\nvalue 2\n");
  EXPECT_THAT(counted(session()), ElementsAre(1, 2, 3, 1, 2));
}

// JAX maps memory when it has launched its first kernel. A change of access to memory that a kernel
// may have used is another matter.
// Three passes are those that open the counters. cuBLAS begins with cudaFree(nullptr).
TEST_F(Replay, MemoryThatNoLaunchCanHaveUsedIsFreedWithoutAReplay) {
  const auto result =
      profile("alloc 64 launch add 2 sleep 300 freenothing passes borrow 1 passes free passes");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "passes 3\nborrow 0\npasses 3\npasses 6\n");
  EXPECT_THAT(counted(session()), ElementsAre(1, 2));
}

// A replay puts all memory back that there was when it began.
TEST_F(Replay, MemoryIsNotFreedUnderAReplay) {
  setenv("FAKE_CUPTI_FIRST_PASS_MS", "1500", 1);
  setenv("FAKE_CUDA_DEVICES", "2", 1);  // so that the counters are not opened beforehand
  const auto result = profile(
      "device 1 launch other 1 device 0 alloc 64 launch add 2 alloc 64 sleep 2800 free sleep 100 "
      "say end");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "end\n");
}

TEST_F(Replay, ACopyOfOursThatIsLateIsNoFaultOfAKernel) {
  setenv("FAKE_CUDA_SLOW_COPY", "3@1200", 1);
  const auto result = profile("alloc 64 launch add 6 value", {"--replay-timeout", "0.5"});
  EXPECT_EQ(result.out, "value 6\n");
  const Session s = session();
  EXPECT_THAT(codes(s), Contains("replay.late"));
  EXPECT_THAT(codes(s), Not(Contains("replay.waits")));
  const std::vector<double> values = counted(s);
  ASSERT_EQ(values.size(), 6U);
  EXPECT_THAT(std::vector<double>(values.begin() + 4, values.end()), ElementsAre(5, 6))
      << "once the copy has ended they run again as before";
}

TEST_F(Replay, ACopyOfOursThatDoesNotEndHoldsABatchUpOnce) {
  setenv("FAKE_CUDA_SLOW_COPY", "21@100000", 1);
  const auto start = std::chrono::steady_clock::now();
  const auto result = profile("alloc 64 launch add 20 free say freed", {"--replay-timeout", "0.5"});
  EXPECT_EQ(result.out, "freed\n");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5)) << "20 times 0.5 s";
  const Session s = session();
  EXPECT_THAT(codes(s), Contains("replay.late"));
  for (const Issue& issue : s.issues) {
    EXPECT_THAT(issue.text, Not(HasSubstr("()"))) << "a hint that there is not";
  }
}

TEST_F(Replay, AccessToMemoryIsReplayedBeforeWhereALaunchCanHaveUsedIt) {
  auto result = profile("alloc 64 launch add 2 sleep 300 map 4096 passes map 4096 passes value");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "passes 3\npasses 3\nvalue 2\n") << "mapped since";
  EXPECT_THAT(counted(session()), ElementsAre(1, 2));
  result = profile("alloc 64 map 4096 launch add 2 sleep 300 map 4096 passes value");
  EXPECT_EQ(result.out, "passes 6\nvalue 2\n");
  EXPECT_THAT(counted(session()), ElementsAre(1, 2));
}

// CUPTI takes long for its first passes, which count nothing here.
TEST_F(Replay, CountersAreOpenedByEmptyPassesWhileTheProgramGoesOn) {
  const auto result = profile("alloc 64 launch add 2 sleep 300 passes launch add 40 value");
  EXPECT_EQ(result.out, "passes 3\nvalue 42\n");
  const std::vector<double> values = counted(session());
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(values[i], static_cast<double>(i + 1));
  }
  EXPECT_TRUE(session().issues.empty());
}

// CUPTI would wait for it, and the launch that it waits for for CUPTI.
TEST_F(Replay, CountersAreNotOpenedWhileAKernelWaits) {
  const auto result = profile("alloc 64 launch waits 1 sleep 300 passes launch frees 1 value",
                              {"--replay-timeout", "0.05"});
  EXPECT_EQ(result.out, "passes 0\nvalue 2\n");
}

TEST_F(Replay, CountersThatDoNotOpenBesideTheProgramAreToldOnceTheyAreNeeded) {
  setenv("FAKE_CUPTI_ENABLE", "35", 1);  // CUPTI_ERROR_INSUFFICIENT_PRIVILEGES
  const auto result = profile("alloc 64 launch add 2 sleep 300 value");
  EXPECT_EQ(result.out, "value 2\n");
  EXPECT_THAT(codes(session()), ElementsAre("counters.unavailable"));
}

// The driver loads a kernel's code, and with it the variables beside it, at its first launch.
TEST_F(Replay, VariablesOfCodeThatIsLoadedByTheLaunchGetTheirValuesBack) {
  std::ofstream(folder / "code", std::ios::binary) << test::small_cubin();
  setenv("FAKE_CUPTI_LAZY_MODULE", "code", 1);
  const auto result = profile("alloc 64 launch kernel 40 counter value");
  EXPECT_EQ(result.out, "counter 40\nvalue 40\n") << "32 of them have run again by then";
}

TEST_F(Replay, ABatchMayHoldMoreLaunchesThanTheFirst) {
  const auto result = profile("alloc 64 launch add 1 free alloc 64 launch add 20 value");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::vector<double> values = counted(session());
  ASSERT_EQ(values.size(), 21U);
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(values[i], static_cast<double>(i == 0 ? 1 : i)) << i;
  }
}

TEST_F(Replay, LaunchesInACaptureAreLeftAlone) {
  const auto result =
      profile("alloc 64 launch add 2 capture launch add 4 endcapture launch add 1 value");
  EXPECT_EQ(result.out, "value 3\n");
  const Session s = session();
  EXPECT_THAT(counted(s), ElementsAre(1, 2, 3));
  EXPECT_THAT(codes(s), Contains("profile.graphs"));
}

// What other threads do with captures of theirs is no end of this one.
TEST_F(Replay, AnEndOfACaptureThatFailsIsNoneUnlessTheCaptureIsVoid) {
  constexpr const char* wrong_thread = "908";
  constexpr const char* invalidated = "901";
  profile("alloc 64 launch add 2 capture failend " + std::string(wrong_thread) +
          " launch add 4 endcapture launch add 1 value");
  EXPECT_THAT(counted(session()), ElementsAre(1, 2, 3));
  EXPECT_THAT(codes(session()), Contains("profile.graphs"));
  profile("alloc 64 capture failend " + std::string(invalidated) + " launch add 2 value");
  EXPECT_THAT(counted(session()), ElementsAre(1, 2));
  EXPECT_THAT(codes(session()), Not(Contains("replay.capture")));
  EXPECT_THAT(codes(session()), Not(Contains("replay.busy")));
  profile("alloc 64 failend " + std::string(wrong_thread) + " endcapture launch add 2 value");
  EXPECT_THAT(counted(session()), ElementsAre(1, 2)) << "ends without a beginning";
}

TEST_F(Replay, MemoryThatOthersSeeTooEndsAllReplays) {
  const auto result = profile("alloc 64 launch add 2 share launch add 2 value");
  EXPECT_EQ(result.out, "value 4\n");
  const Session s = session();
  EXPECT_THAT(codes(s), Contains("replay.shared_memory"));
  EXPECT_EQ(counted(s)[0], 1);
  EXPECT_EQ(counted(s)[1], 2);
}

// JAX does it for all GPUs that it sees, and then works on one.
TEST_F(Replay, GpusThatMayReachEachOtherAreNoReasonWhileOneOfThemWorks) {
  const auto result = profile("alloc 64 launch add 2 peers grant 1 grant 0 launch add 2 value");
  EXPECT_EQ(result.out, "value 4\n");
  const Session s = session();
  EXPECT_THAT(counted(s), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(codes(s), Not(Contains("replay.shared_memory")));
}

TEST_F(Replay, OnceAnotherGpuWorksThatReachesTheMemoryNoKernelRunsAgain) {
  setenv("FAKE_CUDA_DEVICES", "2", 1);
  for (const std::string reach : {"peers", "grant 1", "opened 1"}) {
    for (const std::string begin : {"launch other 1", "alloc 64"}) {
      const auto result = profile("alloc 64 launch add 2 " + reach + " launch add 1 device 1 " +
                                  begin + " device 0 launch add 1 value");
      EXPECT_EQ(result.exit_code, 0) << result.err;
      const Session s = session();
      EXPECT_THAT(codes(s), Contains("replay.shared_memory")) << reach << ", " << begin;
      const std::vector<double> values = counted(s);
      ASSERT_GE(values.size(), 4U);
      EXPECT_THAT(std::vector<double>(values.begin(), values.begin() + 3), ElementsAre(1, 2, 3))
          << "what had run before: " << reach << ", " << begin;
    }
  }
}

TEST_F(Replay, TwoContextsOnOneGpuAreNotTwoGpus) {
  setenv("FAKE_CUDA_DEVICES", "2", 1);
  setenv("FAKE_CUPTI_ONE_DEVICE", "1", 1);
  profile("alloc 64 launch add 2 peers device 1 launch other 1 device 0 launch add 1");
  EXPECT_THAT(codes(session()), Not(Contains("replay.shared_memory")));
}

// The kernel waits for a launch into the other GPU, which must not wait for it.
TEST_F(Replay, AnotherGpusFirstLaunchDoesNotWaitForLongForAKernelThatWaitsForIt) {
  setenv("FAKE_CUDA_DEVICES", "2", 1);
  const auto start = std::chrono::steady_clock::now();
  const auto result =
      profile("alloc 64 peers launch add 2 launch waits 1 device 1 launch frees 1 device 0 value",
              {"--replay-timeout", "4"});
  // The fake has one event for all GPUs: the launch itself waits once for the time given.
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(7));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(codes(session()), Contains("replay.shared_memory"));
}

TEST_F(Replay, GpusThatCannotReachEachOtherBothHaveTheirKernelsRunAgain) {
  setenv("FAKE_CUDA_DEVICES", "2", 1);
  profile("alloc 64 grant 0 opened 0 launch add 2 device 1 launch other 1 device 0 launch add 1");
  EXPECT_THAT(codes(session()), Not(Contains("replay.shared_memory")));
}

TEST_F(Replay, AKernelThatIsGivenHostMemoryRunsOnce) {
  setenv("FAKE_CUDA_MEMORY_TYPE", "1", 1);  // CU_MEMORYTYPE_HOST
  const auto result = profile("alloc 64 launch add 2 value");
  EXPECT_EQ(result.out, "value 2\n");
  EXPECT_THAT(codes(session()), Contains("replay.host_memory"));
}

TEST_F(Replay, AKernelThatIsGivenMemoryNobodyAllocatedRunsOnce) {
  const auto result = profile("alloc 64 launch add 1 launch second_foreign 2 launch add 1 value");
  EXPECT_EQ(result.out, "value 4\n");
  EXPECT_THAT(codes(session()), Contains("replay.foreign_memory"));
}

// PyTorch passes structures by value, of which parts are not set: they hold what the stack held,
// such as addresses that were used here for the launch before.
TEST_F(Replay, AnAddressOfOurOwnInAnUnsetArgumentDoesNotMatter) {
  const auto result = profile("alloc 64 launch add 1 launch second 2 launch add 1 value");
  EXPECT_EQ(result.out, "value 4\n");
  const Session s = session();
  EXPECT_THAT(counted(s), ElementsAre(1, 2, 3, 4));
  EXPECT_TRUE(s.issues.empty()) << s.issues[0].text;
}

TEST_F(Replay, ChosenLaunchesAreCountedAmongOthersThatChangeTheirMemory) {
  const auto result =
      profile("alloc 64 launch add 2 launch b 1 launch add 5 launch b 2 value", {"-k", "^b$"});
  EXPECT_EQ(result.out, "value 10\n");
  EXPECT_THAT(counted(session()), ElementsAre(3, 9, 10));
}

TEST_F(Replay, ThreadsThatLaunchAtOnceKeepTheirResults) {
  const auto result = profile("alloc 64 crowd 60 value");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "value 240\n");
  std::vector<double> values = counted(session());
  std::sort(values.begin(), values.end());
  ASSERT_EQ(values.size(), 240U);
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(values[i], static_cast<double>(i + 1));
  }
}

TEST_F(Replay, AKilledProgramKeepsWhatWasReplayed) {
  profile("alloc 64 launch add 3 sleep 4500 kill 9");
  EXPECT_THAT(counted(session()), ElementsAre(1, 2, 3));
}

}  // namespace
}  // namespace ridgepoint
