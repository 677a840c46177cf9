// The thread that writes the journal while the program runs, and that writes all the rest when the
// program is about to end without its exit handlers.
//
// Life cycle: start() once -> its work, soon after the start and then regularly -> quieten() and
// stop() and all_is_written() from exit(), or finish_before_end(). Never destroyed before stop().
//
// What was started never ends but with the process: it sleeps when all is done. By then CUDA and
// CUPTI may have gone, and the end of a thread that has used them calls into them.
#pragma once

#include <semaphore.h>
#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>

namespace ridgepoint::collector {

class WriterThread {
 public:
  struct Work {
    std::function<void()> regularly;
    std::function<void(int end)> finally;   // process_end.h says what the number means
    std::chrono::milliseconds rarely{500};  // regularly, at most so long between two
  };

  WriterThread();
  WriterThread(const WriterThread&) = delete;
  WriterThread& operator=(const WriterThread&) = delete;
  ~WriterThread() = default;

  // Signals of the process never reach the new thread: their handlers are the program's.
  void start(Work work);
  // Its work is done soon, not only when it is time. Takes no lock.
  void wake() { sem_post(&wake_); }
  bool runs() const { return runs_.load(std::memory_order_relaxed); }

  // No regular work begins after this, and none is in hand when it returns: exit() has begun, and
  // with it the end of what the work uses. What is left is still written before any other end.
  void quieten();
  // No work begins after this. The caller writes the rest itself, and then says so.
  void stop();
  void all_is_written() { done_ = true; }
  bool has_finished() const { return done_; }  // finally() is done

  // Around fork(): no work is in hand meanwhile, so that the child, which has none of its parent's
  // threads, finds none of their locks held. A long work is not waited for.
  void hold();
  void let_go();

  // Waits until finally(end) has been done, or the time is over; at once when the thread does not
  // run, or the caller is the one that is waited for. May be called in a signal handler, and by any
  // number of threads.
  void finish_before_end(int end, std::chrono::milliseconds patience);

 private:
  void run();
  bool wakes_within(std::chrono::milliseconds interval);

  Work work_;
  std::timed_mutex at_work_;
  sem_t wake_ = {};
  sem_t all_done_ = {};  // the thread touches nothing of this any more
  std::atomic<bool> quiet_{false};
  std::atomic<bool> runs_{false};
  std::atomic<pid_t> worker_{0};  // the thread that writes what is left
  std::atomic<bool> stopped_{false};
  std::atomic<int> end_{0};
  std::atomic<bool> done_{false};
};

}  // namespace ridgepoint::collector
