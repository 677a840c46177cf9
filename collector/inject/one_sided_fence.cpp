#include "collector/inject/one_sided_fence.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace ridgepoint::collector {
namespace {

// errno is the program's: this runs in its launches.
bool membarrier(int command) {
  const int before = errno;
  const bool done = syscall(SYS_membarrier, command, 0, 0) == 0;
  errno = before;
  return done;
}

}  // namespace

OneSidedFence::OneSidedFence()
    : one_sided_(membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) &&
                 membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED)) {}

bool OneSidedFence::seldom() const {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return !one_sided_ || membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
}

}  // namespace ridgepoint::collector
