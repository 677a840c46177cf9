// A memory fence between threads that costs one side nothing: many threads that often write one
// thing and then read another, and a thread that seldom does the opposite and must not miss them.
// membarrier(2) makes the processors of all others pass a fence at that moment.
#pragma once

#include <atomic>

namespace ridgepoint::collector {

class OneSidedFence {
 public:
  // Of this process. Where the system has no such call, or does not allow it, both sides pay.
  OneSidedFence();
  bool is_one_sided() const { return one_sided_; }

  // Between the write and the read. `one_sided`: what is_one_sided() says, kept where it is near.
  static void often(bool one_sided) {
    if (one_sided) {
      std::atomic_signal_fence(std::memory_order_seq_cst);  // the compiler keeps the order
    } else {
      std::atomic_thread_fence(std::memory_order_seq_cst);
    }
  }
  // False when the system no longer allows it: the order is not known.
  bool seldom() const;

 private:
  bool one_sided_ = false;
};

}  // namespace ridgepoint::collector
