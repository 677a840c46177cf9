#include "analyzer/core/file_size_signal.h"

#include <csignal>

namespace ridgepoint {
namespace {

bool was_default = false;

}  // namespace

void ignore_file_size_signal() {
  was_default = std::signal(SIGXFSZ, SIG_IGN) == SIG_DFL || was_default;
}

void give_back_file_size_signal() {
  if (was_default) {
    std::signal(SIGXFSZ, SIG_DFL);
  }
}

}  // namespace ridgepoint
