#include "analyzer/core/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

#include "analyzer/core/file_owner.h"

namespace ridgepoint {
namespace {

constexpr std::chrono::milliseconds between_tries{2};

}  // namespace

FileLock::FileLock(const std::filesystem::path& path, std::chrono::milliseconds patience)
    : file_(open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600)) {
  struct stat status {};
  if (!file_ || fstat(file_.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return;
  }
  if (status.st_uid == geteuid()) {
    give_to_folder_owner(file_.get(), path);
  }
  const auto end = std::chrono::steady_clock::now() + patience;
  while (flock(file_.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) {
      may_go_on_ = true;  // no locks here: as good as can be
      return;
    }
    if (std::chrono::steady_clock::now() >= end) {
      return;
    }
    std::this_thread::sleep_for(between_tries);
  }
  may_go_on_ = true;
}

}  // namespace ridgepoint
