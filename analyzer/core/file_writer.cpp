#include "analyzer/core/file_writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "analyzer/core/file_owner.h"

namespace ridgepoint {
namespace {

// RENAME_NOREPLACE is atomic, but not every file system has it; link() is the older way to the same
// end.
int rename_without_replacing(const char* from, const char* to) {
  if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) {
    return 0;
  }
  if (errno != EINVAL && errno != ENOSYS) {
    return -1;
  }
  if (link(from, to) != 0) {
    return -1;
  }
  unlink(from);
  return 0;
}

// The umask can only be read by setting it.
mode_t current_umask() {
  const mode_t mask = umask(0077);
  umask(mask);
  return mask;
}

}  // namespace

FileWriter::FileWriter(std::filesystem::path path, Overwrite overwrite)
    : path_(std::move(path)), overwrite_(overwrite), what_("writing " + path_.string()) {}

FileWriter::FileWriter(FileWriter&& other) noexcept
    : path_(std::move(other.path_)),
      overwrite_(other.overwrite_),
      what_(std::move(other.what_)),
      temporary_(std::exchange(other.temporary_, {})),
      file_(std::move(other.file_)) {}

FileWriter::~FileWriter() {
  if (!temporary_.empty()) {
    unlink(temporary_.c_str());
  }
}

Status FileWriter::failed() const {
  const int code = errno;
  return fail(ErrorDomain::output, what_, std::generic_category().message(code), {}, code);
}

Result<FileWriter> FileWriter::create(const std::filesystem::path& path, Overwrite overwrite,
                                      Access access) {
  FileWriter writer(path, overwrite);
  struct stat present {};
  const bool exists = stat(path.c_str(), &present) == 0;
  if (exists && S_ISDIR(present.st_mode)) {
    return fail(ErrorDomain::output, writer.what_, "it is a folder", "name a file in it", EISDIR);
  }
  if (exists && !S_ISREG(present.st_mode)) {
    writer.file_ = Descriptor(open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!writer.file_) {
      return tl::make_unexpected(writer.failed().error());
    }
    return writer;
  }
  struct stat link {};
  if (overwrite == Overwrite::no && lstat(path.c_str(), &link) == 0) {
    return tl::make_unexpected(exists_error(path));
  }
  std::string temporary = path.string() + ".XXXXXX";
  writer.file_ = Descriptor(mkostemp(temporary.data(), O_CLOEXEC));  // exclusive, mode 0600
  if (!writer.file_) {
    return tl::make_unexpected(writer.failed().error());
  }
  writer.temporary_ = temporary;
  if (access == Access::umask &&
      fchmod(writer.file_.get(), exists ? present.st_mode & 0777U : 0666U & ~current_umask()) !=
          0) {
    return tl::make_unexpected(writer.failed().error());
  }
  return writer;
}

Status FileWriter::write(std::string_view bytes) {
  return write_all(file_.get(), bytes, what_);
}

Status FileWriter::commit() {
  if (temporary_.empty()) {
    return file_.close() == 0 ? Status() : failed();
  }
  if (fsync(file_.get()) != 0) {
    return failed();
  }
  give_to_folder_owner(file_.get(), temporary_);
  if (file_.close() != 0) {
    return failed();
  }
  const int renamed = overwrite_ == Overwrite::yes
                          ? std::rename(temporary_.c_str(), path_.c_str())
                          : rename_without_replacing(temporary_.c_str(), path_.c_str());
  if (renamed != 0) {
    return errno == EEXIST ? tl::make_unexpected(exists_error(path_)) : failed();
  }
  temporary_.clear();
  return {};
}

}  // namespace ridgepoint
