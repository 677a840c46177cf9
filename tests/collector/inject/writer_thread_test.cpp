#include "collector/inject/writer_thread.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <thread>

namespace ridgepoint::collector {
namespace {

using std::chrono::milliseconds;

struct Counted {
  std::atomic<int> regular{0};
  std::atomic<int> end{0};
  WriterThread::Work work() {
    return {[this] { ++regular; }, [this](int given) { end = given; }};
  }
};

TEST(WriterThread, WorksSoonAfterItsStartAndThenLessOften) {
  Counted counted;
  WriterThread thread;
  const auto start = std::chrono::steady_clock::now();
  thread.start(counted.work());
  while (counted.regular < 4 && std::chrono::steady_clock::now() - start < milliseconds(5000)) {
    std::this_thread::sleep_for(milliseconds(1));
  }
  const auto passed = std::chrono::steady_clock::now() - start;
  thread.stop();
  EXPECT_GE(passed, milliseconds(20 + 50 + 100 + 200 - 10));
  EXPECT_LT(passed, milliseconds(4 * 500)) << "sooner than at the regular interval";
  EXPECT_FALSE(thread.has_finished());
}

TEST(WriterThread, DoesTheLastWorkBeforeTheCallerGoesOn) {
  Counted counted;
  WriterThread thread;
  thread.start(counted.work());
  thread.finish_before_end(11, milliseconds(5000));
  EXPECT_EQ(counted.end, 11);
  EXPECT_TRUE(thread.has_finished());
  thread.finish_before_end(6, milliseconds(5000));
  EXPECT_EQ(counted.end, 11) << "once";
  thread.stop();
}

TEST(WriterThread, WorksMoreOftenWhereThatIsAskedFor) {
  std::atomic<int> turns{0};
  WriterThread thread;
  const auto start = std::chrono::steady_clock::now();
  thread.start({[&] { ++turns; }, [](int) {}, milliseconds(20)});
  while (turns < 8) {
    usleep(1000);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, milliseconds(1800)) << "else 2.37 s";
  thread.stop();
}

TEST(WriterThread, IsWaitedForNoLongerThanAllowed) {
  std::atomic<bool> go_on{false};
  WriterThread thread;
  thread.start({[] {},
                [&](int) {
                  while (!go_on) {
                    usleep(1000);
                  }
                }});
  const auto start = std::chrono::steady_clock::now();
  thread.finish_before_end(15, milliseconds(50));
  const auto waited = std::chrono::steady_clock::now() - start;
  EXPECT_GE(waited, milliseconds(49));
  EXPECT_LT(waited, milliseconds(2000));
  go_on = true;
  thread.stop();
}

TEST(WriterThread, IsNotWaitedForWhereItCannotAnswer) {
  WriterThread never_started;
  const auto start = std::chrono::steady_clock::now();
  never_started.finish_before_end(15, milliseconds(5000));
  Counted counted;
  WriterThread stopped;
  stopped.start(counted.work());
  stopped.stop();
  stopped.finish_before_end(15, milliseconds(5000));  // by who is writing the rest
  EXPECT_LT(std::chrono::steady_clock::now() - start, milliseconds(2000));
  EXPECT_EQ(counted.end, 0);
}

// When exit() has begun: what the work uses may go at any moment.
TEST(WriterThread, DoesNothingRegularlyOnceItIsQuietAndTheLastWorkAllTheSame) {
  Counted counted;
  std::atomic<bool> in_hand{false};
  WriterThread thread;
  thread.start({[&] {
                  in_hand = true;
                  usleep(50'000);
                  ++counted.regular;
                  in_hand = false;
                },
                [&](int end) { counted.end = end; }});
  while (!in_hand) {
    usleep(1000);
  }
  thread.quieten();
  EXPECT_FALSE(in_hand);
  const int regular = counted.regular;
  std::this_thread::sleep_for(milliseconds(200));
  EXPECT_EQ(counted.regular, regular);
  thread.finish_before_end(11, milliseconds(5000));
  EXPECT_EQ(counted.end, 11);
  thread.stop();
}

// The driver keeps data of each thread that has used it, and lets go of it when the thread ends: at
// exit() that would be after the driver itself.
TEST(WriterThread, IsNotEndedWhenItIsStopped) {
  static std::atomic<bool> ended{false};
  static std::atomic<bool> used{false};
  struct OfTheThread {
    ~OfTheThread() { ended = true; }
  };
  WriterThread thread;
  thread.start({[] {
                  thread_local const OfTheThread data;
                  static_cast<void>(&data);
                  used = true;
                },
                [](int) {}});
  while (!used) {
    usleep(1000);
  }
  thread.stop();
  std::this_thread::sleep_for(milliseconds(50));
  EXPECT_FALSE(ended);
}

TEST(WriterThread, TakesNoSignalOfTheProgram) {
  std::atomic<bool> blocked{false};
  WriterThread thread;
  thread.start({[&] {
                  sigset_t set;
                  pthread_sigmask(SIG_BLOCK, nullptr, &set);
                  blocked = sigismember(&set, SIGTERM) == 1 && sigismember(&set, SIGXFSZ) == 1;
                },
                [](int) {}});
  std::this_thread::sleep_for(milliseconds(200));
  thread.stop();
  EXPECT_TRUE(blocked);
  sigset_t own;
  pthread_sigmask(SIG_BLOCK, nullptr, &own);
  EXPECT_EQ(sigismember(&own, SIGTERM), 0) << "the caller's are as before";
}

}  // namespace
}  // namespace ridgepoint::collector
