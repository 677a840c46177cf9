#include "reports/write_report.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace ridgepoint {
namespace {

namespace fs = std::filesystem;

// A file under a temporary name; removed unless it was renamed into place.
class TemporaryFile {
 public:
  explicit TemporaryFile(const fs::path& target) : name_(target.string() + ".XXXXXX") {
    descriptor_ = ::mkstemp(name_.data());  // exclusive, mode 0600
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (descriptor_ >= 0) {
      ::close(descriptor_);
      if (!renamed_) {
        ::unlink(name_.c_str());
      }
    }
  }

  bool ok() const { return descriptor_ >= 0; }
  bool write(std::string_view text);
  bool publish(const fs::path& target, bool replace);

 private:
  std::string name_;
  int descriptor_ = -1;
  bool renamed_ = false;
};

bool TemporaryFile::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written < 0 && errno != EINTR) {
      return false;
    }
    text.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
  }
  // The umask can only be read by setting it.
  const mode_t mask = ::umask(0077);
  ::umask(mask);
  return ::fchmod(descriptor_, 0666 & ~mask) == 0 && ::fsync(descriptor_) == 0;
}

bool TemporaryFile::publish(const fs::path& target, bool replace) {
  if (replace) {
    renamed_ = ::rename(name_.c_str(), target.c_str()) == 0;
    return renamed_;
  }
  renamed_ = ::renameat2(AT_FDCWD, name_.c_str(), AT_FDCWD, target.c_str(), RENAME_NOREPLACE) == 0;
  if (renamed_ || (errno != EINVAL && errno != ENOSYS)) {
    return renamed_;
  }
  // File systems without RENAME_NOREPLACE: a hard link fails as well when the name is taken.
  return ::link(name_.c_str(), target.c_str()) == 0;
}

tl::unexpected<Error> cannot(const fs::path& path, int number) {
  const bool exists = number == EEXIST;
  return fail(ErrorDomain::output, "writing " + path.string(),
              exists ? "the file exists already" : std::strerror(number),
              exists ? "choose another name, or replace it with --force" : "", number);
}

}  // namespace

Status write_report(std::string_view text, const fs::path& path, bool force) {
  std::error_code ignored;
  const fs::file_status present = fs::symlink_status(path, ignored);
  if (!force && fs::exists(present)) {
    return cannot(path, EEXIST);
  }
  if (fs::is_directory(present)) {
    return cannot(path, EISDIR);
  }
  TemporaryFile file(path);
  if (!file.ok() || !file.write(text) || !file.publish(path, force)) {
    return cannot(path, errno);
  }
  return {};
}

}  // namespace ridgepoint
