// While one of these lives, a pthread_cancel() of this thread waits. What acts on one is open(),
// write() and the like, and what it does is unwind the stack: through calls of ours and of the
// driver that are in hand, which ends the process.
#pragma once

#include <pthread.h>

namespace ridgepoint::collector {

class NoCancellation {
 public:
  NoCancellation() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  ~NoCancellation() { pthread_setcancelstate(before_, nullptr); }
  NoCancellation(const NoCancellation&) = delete;
  NoCancellation& operator=(const NoCancellation&) = delete;

 private:
  int before_ = PTHREAD_CANCEL_ENABLE;
};

}  // namespace ridgepoint::collector
