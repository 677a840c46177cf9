#include "collector/inject/journal_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <utility>

#include "analyzer/core/file_owner.h"
#include "analyzer/session/codec/document.h"
#include "analyzer/session/journal_read.h"
#include "collector/inject/own_descriptor.h"

namespace ridgepoint::collector {
namespace {

// Beyond the user's limit on file sizes a write() raises SIGXFSZ, which ends a program that does
// not expect it. The file is ours, not the program's: hold the signal, see the error, and drop it.
class NoFileSizeSignal {
 public:
  NoFileSizeSignal() {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    sigset_t pending;
    was_pending_ = sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 1;
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  ~NoFileSizeSignal() {
    constexpr timespec now = {};
    if (!was_pending_) {
      while (sigtimedwait(&signal_, nullptr, &now) < 0 && errno == EINTR) {
      }
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoFileSizeSignal(const NoFileSizeSignal&) = delete;
  NoFileSizeSignal& operator=(const NoFileSizeSignal&) = delete;

 private:
  sigset_t signal_ = {};
  sigset_t before_ = {};
  bool was_pending_ = false;
};

Descriptor create_file(const std::filesystem::path& path) {
  return Descriptor(open(path.c_str(),
                         O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_APPEND | O_CLOEXEC,
                         S_IRUSR | S_IWUSR));
}

}  // namespace

void leave_failure(const std::filesystem::path& path) {
  if (const Descriptor file = create_file(path)) {
    give_to_folder_owner(file.get(), path);
  }
}

Result<JournalFile> JournalFile::create(const std::filesystem::path& path) {
  const std::string what = "writing " + path.string();
  Descriptor file = create_file(path);
  if (!file) {
    return fail(ErrorDomain::output, what, std::strerror(errno), {}, errno);
  }
  file = out_of_the_way(std::move(file));
  struct stat status = {};
  if (!file || fstat(file.get(), &status) != 0) {
    return fail(ErrorDomain::output, what, std::strerror(errno), {}, errno);
  }
  give_to_folder_owner(file.get(), path);
  return JournalFile(std::move(file), path, status.st_dev, status.st_ino);
}

Status JournalFile::append(const Session& part) {
  const std::string what = "writing " + path_.string();
  struct stat status = {};
  // The program may have closed our descriptor and opened a file of its own under the same number.
  if (!file_ || fstat(file_.get(), &status) != 0 || status.st_dev != device_ ||
      status.st_ino != inode_) {
    return fail(ErrorDomain::output, what, "the program closed the journal");
  }
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  fcntl(file_.get(), F_SETLK, &lock);  // tells the launcher that this process lives
  const std::string line = codec::session_document(part, journal_schema) + "\n";
  const NoFileSizeSignal held;
  Status written = write_all(file_.get(), line, what);
  if (!written) {
    file_ = Descriptor();  // a torn line ends what can be read of a journal
  }
  return written;
}

}  // namespace ridgepoint::collector
