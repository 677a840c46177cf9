#include "analyzer/core/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "analyzer/core/descriptor.h"

namespace ridgepoint {
namespace {

std::string system_reason() {
  return std::generic_category().message(errno);
}

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

}  // namespace

Result<std::string> read_file(const std::filesystem::path& path, std::uint64_t limit_bytes) {
  const std::string what = "opening " + path.string();
  // O_NONBLOCK: opening a pipe must not wait for a writer before it is refused.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) {
    return fail(ErrorDomain::input, what, system_reason(), {}, errno);
  }
  struct stat status {};
  if (fstat(file.get(), &status) != 0) {
    return fail(ErrorDomain::input, what, system_reason(), {}, errno);
  }
  if (!S_ISREG(status.st_mode)) {
    return fail(ErrorDomain::input, what,
                S_ISDIR(status.st_mode) ? "it is a folder" : "it is not a regular file");
  }
  if (static_cast<std::uint64_t>(status.st_size) > limit_bytes) {
    return fail(
        ErrorDomain::input, what,
        fmt::format("it holds {} bytes, more than the limit of {}", status.st_size, limit_bytes));
  }
  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t got = read(file.get(), bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      return fail(ErrorDomain::input, what, system_reason(), {}, errno);
    }
    if (got == 0) {
      break;  // it shrank while being read
    }
    filled += static_cast<std::size_t>(got);
  }
  bytes.resize(filled);
  return bytes;
}

Status append_file(const std::filesystem::path& path, std::string_view bytes) {
  const std::string what = "appending to " + path.string();
  Descriptor file(open(path.c_str(),
                       O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600));
  if (!file) {
    return fail(ErrorDomain::output, what, system_reason(), {}, errno);
  }
  struct stat status {};
  if (fstat(file.get(), &status) != 0) {
    return fail(ErrorDomain::output, what, system_reason(), {}, errno);
  }
  if (!S_ISREG(status.st_mode)) {
    return fail(ErrorDomain::output, what, "it is not a regular file");
  }
  if (Status written = write_all(file.get(), bytes, what); !written) {
    return written;
  }
  return file.close() == 0 ? Status() : fail(ErrorDomain::output, what, system_reason(), {}, errno);
}

Error exists_error(const std::filesystem::path& path) {
  return Error{ErrorDomain::output, EEXIST, "writing " + path.string(), "it exists already",
               "choose another name, or replace it with --force"};
}

Status write_file(const std::filesystem::path& path, std::string_view bytes, Overwrite overwrite) {
  const std::string what = "writing " + path.string();
  const auto failed = [&] { return fail(ErrorDomain::output, what, system_reason(), {}, errno); };
  std::error_code ignored;
  if (overwrite == Overwrite::no &&
      std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) {
    return tl::make_unexpected(exists_error(path));
  }
  if (std::filesystem::is_directory(std::filesystem::symlink_status(path, ignored))) {
    return fail(ErrorDomain::output, what, "it is a folder", "name a file in it", EISDIR);
  }
  std::string temporary = path.string() + ".XXXXXX";
  Descriptor file(mkostemp(temporary.data(), O_CLOEXEC));
  if (!file) {
    return failed();
  }
  const Status written = write_all(file.get(), bytes, what).and_then([&]() -> Status {
    if (fsync(file.get()) != 0 || file.close() != 0) {
      return failed();
    }
    const int renamed = overwrite == Overwrite::yes
                            ? std::rename(temporary.c_str(), path.c_str())
                            : rename_without_replacing(temporary.c_str(), path.c_str());
    if (renamed == 0) {
      return {};
    }
    if (errno == EEXIST) {
      return tl::make_unexpected(exists_error(path));
    }
    return failed();
  });
  if (!written) {
    unlink(temporary.c_str());
  }
  return written;
}

}  // namespace ridgepoint
