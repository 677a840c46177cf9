// Programs that end without their exit handlers, some as soon as they have launched: what they did
// is in a session, which says how they ended, and they end as they would have alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <chrono>
#include <fstream>

#include "tests/collector/inject/injection.h"

namespace ridgepoint {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

using EarlyEnd = Injection;

TEST_F(EarlyEnd, AProgramThatEndsAtOnceByItsOwnCallLosesNothing) {
  for (const char* counters : {"none", "lite", "default"}) {
    for (const char* call : {"_exit", "quick_exit"}) {
      const auto result = profile({"-c", counters, "--force"},
                                  std::string("init alloc 64 launch k 3 ") + call + " 0");
      EXPECT_EQ(result.exit_code, 0) << result.err;
      const Session s = session();
      EXPECT_EQ(s.launches.size(), 3U) << counters << call;
      if (std::string(counters) != "none") {
        EXPECT_THAT(column(s), ElementsAre(1, 2, 3)) << counters << call;
      }
      EXPECT_THAT(text_of("profile.ended"), HasSubstr(std::string("ended by ") + call));
      EXPECT_EQ(codes(s).count("profile.cut_short"), 0U) << "nothing is missing";
      EXPECT_THAT(files(), ElementsAre("a.ridge"));
    }
  }
  EXPECT_EQ(
      profile({"-c", "none", "--force", "--pass-exit-code"}, "init launch k 1 _exit 7").exit_code,
      7);
}

TEST_F(EarlyEnd, AProgramThatASignalEndsLosesNothingAndEndsByThatSignal) {
  // In a build with sanitizers their handlers would be the program's.
  setenv("ASAN_OPTIONS", "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_abort=0", 1);
  struct End {
    const char* act;
    const char* signal;
    int number;
  };
  for (const End& end :
       {End{"crash", "SIGSEGV", SIGSEGV}, End{"crashelsewhere", "SIGSEGV", SIGSEGV},
        End{"overflow", "SIGSEGV", SIGSEGV}, End{"abort", "SIGABRT", SIGABRT},
        End{"kill 15", "SIGTERM", SIGTERM}, End{"raise 8", "SIGFPE", SIGFPE},
        End{"killed 2", "SIGINT, Ctrl+C", SIGINT}, End{"killed 13", "SIGPIPE", SIGPIPE},
        End{"kill 9", "SIGKILL", SIGKILL}}) {
    const auto result = profile({"-c", "lite", "--force", "--pass-exit-code"},
                                std::string("init launch k 3 ") + end.act);
    EXPECT_EQ(result.exit_code, 128 + end.number) << end.act << result.err;
    EXPECT_THAT(column(session()), ElementsAre(1, 2, 3)) << end.act;
    EXPECT_THAT(text_of("profile.cut_short"),
                HasSubstr("signal " + std::to_string(end.number) + " (" + end.signal + ")"))
        << end.act;
    EXPECT_THAT(text_of("profile.cut_short"), HasSubstr("written before that")) << end.act;
  }
  unsetenv("ASAN_OPTIONS");
}

TEST_F(EarlyEnd, LaunchesThatWaitForTheirReplayAreReplayedFirst) {
  setenv("FAKE_CUPTI_PASSES", "3", 1);
  for (const char* end : {"_exit 0", "abort", "kill 15"}) {
    profile({"-c", "default", "--force"}, std::string("init alloc 64 launch add 5 ") + end);
    EXPECT_THAT(column(session()), ElementsAre(1, 2, 3, 4, 5)) << end;
  }
}

// Nobody in the process hears of it.
TEST_F(EarlyEnd, AProcessThatIsKilledFromOutsideLeavesWhatWasWritten) {
  const auto timeline = profile({"-c", "none"}, "init launch k 4 sleep 300 killed 9");
  EXPECT_EQ(timeline.exit_code, 6);
  EXPECT_EQ(session().launches.size(), 4U) << "written within 0.2 s";
  EXPECT_THAT(text_of("profile.cut_short"), HasSubstr("ended with signal 9 (SIGKILL)"));
  profile({"-c", "lite", "--force"}, "init launch k 4 sleep 1000 killed 9");
  EXPECT_THAT(column(session()), ElementsAre(1, 2, 3, 4)) << "read within 0.5 s";
}

TEST_F(EarlyEnd, AProcessThatIsKilledAtItsFirstLaunchIsKnownToHaveUsedTheGpu) {
  const auto result = profile({"-c", "lite"}, "init launch k 1 killed 9");
  EXPECT_EQ(result.exit_code, 6);
  EXPECT_THAT(result.err, HasSubstr("used the GPU and ended before its records were written"));
  EXPECT_THAT(text_of("profile.cut_short"), HasSubstr("signal 9 (SIGKILL)"));
  // The same of a child, whose end the launcher does not see.
  const auto child = profile({"-c", "lite", "--force"}, "branch init launch k 1 killed 9");
  EXPECT_THAT(child.err, HasSubstr("used the GPU and ended before its records were written"));
  EXPECT_THAT(child.err, HasSubstr("how is not known"));
  EXPECT_THAT(child.err, Not(HasSubstr("did nothing on an NVIDIA GPU")));
}

TEST_F(EarlyEnd, AChildMadeByForkAloneHasASession) {
  const auto result = profile({"-c", "none"}, "branch init launch k 3 _exit 0");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(session().launches.size(), 3U);
}

TEST_F(EarlyEnd, WorkersOfPythonsMultiprocessingHaveSessions) {
  if (std::system("command -v python3 > /dev/null") != 0) {
    GTEST_SKIP() << "no python3";
  }
  std::ofstream(folder / "workers.py") << R"(
import ctypes, multiprocessing, os, sys
def work(name):
    ctypes.CDLL(os.environ["CUDA_INJECTION64_PATH"]).InitializeInjection()
    fake = ctypes.CDLL(os.environ["RIDGEPOINT_CUPTI"])
    for _ in range(3):
        fake.fake_launch(name, 1)
if __name__ == "__main__":
    context = multiprocessing.get_context(sys.argv[1])
    workers = [context.Process(target=work, args=(n,)) for n in (b"first", b"second")]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
)";
  for (const char* method : {"fork", "forkserver"}) {
    const auto result = profile_program({"-c", "none", "-o", std::string(method) + "-%p.ridge"},
                                        {"python3", "workers.py", method});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    std::set<std::string> kernels;
    for (const std::string& name : files()) {
      if (name.rfind(std::string(method) + "-", 0) == 0) {
        const Session s = session(name);
        EXPECT_EQ(s.launches.size(), 3U);
        kernels.insert(s.kernels.at(0).name);
      }
    }
    EXPECT_THAT(kernels, ElementsAre("first", "second")) << method;
  }
}

// Python handles Ctrl+C, and then ends by the signal, for which it sets the default again.
TEST_F(EarlyEnd, PythonThatCtrlCEndsLosesNothing) {
  if (std::system("command -v python3 > /dev/null") != 0) {
    GTEST_SKIP() << "no python3";
  }
  std::ofstream(folder / "main.py") << R"(
import ctypes, os, signal
ctypes.CDLL(os.environ["CUDA_INJECTION64_PATH"]).InitializeInjection()
ctypes.CDLL(os.environ["RIDGEPOINT_CUPTI"]).fake_launch(b"k", 1)
os.kill(os.getpid(), signal.SIGINT)
)";
  const auto result = profile_program({"-c", "none", "-o", "a.ridge"}, {"python3", "main.py"});
  EXPECT_THAT(result.err, HasSubstr("KeyboardInterrupt"));
  EXPECT_THAT(result.err, HasSubstr("signal 2 "));
  EXPECT_EQ(session().launches.size(), 1U);
  EXPECT_THAT(text_of("profile.cut_short"), HasSubstr("Ctrl+C"));
}

TEST_F(EarlyEnd, CodeThatWasLoadedLaterEndsTheProgramAsWell) {
  const auto result = profile(
      {"-c", "none", "--pass-exit-code"},
      std::string("init launch k 3 library ") + RIDGEPOINT_EXITING_LIBRARY + " end_the_program 5");
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_THAT(text_of("profile.ended"), HasSubstr("_exit"));
  EXPECT_EQ(session().launches.size(), 3U);
}

// A child of vfork() runs in its parent's memory: its end is not the parent's.
TEST_F(EarlyEnd, AChildThatEndsIsNotTheProgram) {
  const auto result = profile({"-c", "lite"}, "init launch k 2 vforkexit 3 fork launch k 2");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "child 3\n");
  EXPECT_THAT(column(session()), ElementsAre(1, 2, 3, 4));
  EXPECT_TRUE(codes(session()).empty());
}

TEST_F(EarlyEnd, SignalsThatTheProgramHandlesAreItsOwn) {
  const auto before = profile({"-c", "none"}, "catch 15 init launch k 1 raise 15 launch k 1");
  EXPECT_EQ(before.exit_code, 0) << before.err;
  EXPECT_EQ(before.out, "caught\n");
  const auto later =
      profile({"-c", "none", "--force"}, "init launch k 1 catch 15 raise 15 launch k 1");
  EXPECT_EQ(later.exit_code, 0) << later.err;
  EXPECT_EQ(later.out, "caught\n");
  EXPECT_EQ(session().launches.size(), 2U);
  EXPECT_TRUE(session().issues.empty());
}

// A kernel that never ends cannot be waited for.
TEST_F(EarlyEnd, AProgramThatCannotBeFinishedEndsInTimeAllTheSame) {
  setenv("FAKE_CUPTI_PASSES", "3", 1);
  setenv("FAKE_CUDA_HANG", "forever", 1);
  const auto start = std::chrono::steady_clock::now();
  const auto result = profile({"-c", "default"}, "init alloc 64 launch hang 2 kill 15");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(8));
  EXPECT_THAT(text_of("profile.cut_short"), HasSubstr("ended by signal 15 (SIGTERM)"));
}

TEST_F(EarlyEnd, OurCopiesGiveWayWhenTheProgramNeedsMemory) {
  setenv("FAKE_CUPTI_PASSES", "3", 1);
  setenv("FAKE_CUDA_MEMORY_MB", "1536", 1);
  // 256 MiB are taken for the images of the launches that wait: 1,400 MiB fit only without them.
  const auto result =
      profile({"-c", "default"}, "init alloc 64 launch add 4 borrow 1400 launch add 2 value");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "borrow 0\nvalue 6\n");
  EXPECT_THAT(column(session()), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_TRUE(session().issues.empty());
}

TEST_F(EarlyEnd, AnAllocationThatFailsByItselfFailsAsAlone) {
  setenv("FAKE_CUPTI_PASSES", "3", 1);
  setenv("FAKE_CUDA_MEMORY_MB", "1536", 1);
  const auto result =
      profile({"-c", "default"}, "init alloc 64 launch add 4 borrow 1600 launch add 2 value");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "borrow 2\nvalue 6\n") << "CUDA_ERROR_OUT_OF_MEMORY";
  EXPECT_THAT(column(session()), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_TRUE(session().issues.empty());
}

}  // namespace
}  // namespace ridgepoint
