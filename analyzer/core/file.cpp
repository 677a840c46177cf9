#include "analyzer/core/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "analyzer/core/descriptor.h"
#include "analyzer/core/file_writer.h"

namespace ridgepoint {
namespace {

std::string system_reason() {
  return std::generic_category().message(errno);
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

Status write_file(const std::filesystem::path& path, std::string_view bytes, Overwrite overwrite,
                  Access access) {
  return FileWriter::create(path, overwrite, access).and_then([&](FileWriter&& file) {
    return file.write(bytes).and_then([&] { return file.commit(); });
  });
}

}  // namespace ridgepoint
