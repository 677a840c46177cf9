#include "collector/inject/writer_thread.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <thread>
#include <utility>

#include "analyzer/core/signals_blocked.h"

namespace ridgepoint::collector {
namespace {

using std::chrono::milliseconds;

// A short program that is killed has left most of what it did; a long one is hardly disturbed.
constexpr std::array intervals = {milliseconds(20), milliseconds(50), milliseconds(100),
                                  milliseconds(200), milliseconds(500)};

// Longer than CUPTI takes to start its profiler: a child that is made meanwhile would find locks of
// its libraries held.
constexpr milliseconds fork_patience{1000};
thread_local bool holds = false;  // this thread is about to fork

timespec now() {
  timespec time = {};
  clock_gettime(CLOCK_MONOTONIC, &time);  // safe in signal handlers, unlike the rest of <chrono>
  return time;
}

milliseconds since(const timespec& start) {
  const timespec end = now();
  return milliseconds((end.tv_sec - start.tv_sec) * 1000 + (end.tv_nsec - start.tv_nsec) / 1000000);
}

}  // namespace

WriterThread::WriterThread() {
  sem_init(&wake_, 0, 0);
  sem_init(&all_done_, 0, 0);
}

void WriterThread::start(Work work) {
  work_ = std::move(work);
  {
    const AllSignalsBlocked here;
    std::thread([this] {
      run();
      sem_post(&all_done_);
      while (true) {
        pause();
      }
    }).detach();
  }
  runs_ = true;
}

bool WriterThread::wakes_within(milliseconds interval) {
  timespec end = now();
  end.tv_sec += interval.count() / 1000;
  end.tv_nsec += interval.count() % 1000 * 1000000;
  if (end.tv_nsec >= 1000000000) {
    ++end.tv_sec;
    end.tv_nsec -= 1000000000;
  }
  int result = 0;
  do {
    result = sem_clockwait(&wake_, CLOCK_MONOTONIC, &end);
  } while (result != 0 && errno == EINTR);
  return result == 0;
}

void WriterThread::run() {
  worker_ = gettid();
  for (std::size_t turn = 0;; ++turn) {
    const milliseconds interval = intervals.at(std::min(turn, intervals.size() - 1));
    const bool woken = wakes_within(std::min(interval, work_.rarely));
    const std::lock_guard<std::timed_mutex> working(at_work_);
    if (stopped_) {
      return;
    }
    if (woken && end_ != 0) {
      work_.finally(end_);
      done_ = true;
      return;
    }
    if (!quiet_) {
      work_.regularly();
    }
  }
}

void WriterThread::quieten() {
  quiet_ = true;
  const std::lock_guard<std::timed_mutex> done(at_work_);
}

void WriterThread::hold() {
  holds = at_work_.try_lock_for(fork_patience);
}

void WriterThread::let_go() {
  if (std::exchange(holds, false)) {
    at_work_.unlock();
  }
}

void WriterThread::stop() {
  if (stopped_.exchange(true) || !runs()) {
    return;
  }
  sem_post(&wake_);
  while (sem_wait(&all_done_) != 0 && errno == EINTR) {
  }
  worker_ = gettid();
}

void WriterThread::finish_before_end(int end, milliseconds patience) {
  if (!runs() || worker_ == gettid()) {
    return;
  }
  int none = 0;
  if (end_.compare_exchange_strong(none, end) && !stopped_) {
    sem_post(&wake_);
  }
  const timespec start = now();
  while (!done_ && since(start) < patience) {
    poll(nullptr, 0, 1);
  }
}

}  // namespace ridgepoint::collector
