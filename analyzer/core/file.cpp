#include "analyzer/core/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "analyzer/core/descriptor.h"
#include "analyzer/core/file_owner.h"
#include "analyzer/core/file_writer.h"

namespace ridgepoint {
namespace {

constexpr std::size_t piece_bytes = std::size_t{64} << 10U;

std::string system_reason() {
  return std::generic_category().message(errno);
}

// Fills `to` until it is full or the input ends; gives how many bytes came.
Result<std::size_t> read_into(int file, char* to, std::size_t size, const std::string& what) {
  std::size_t filled = 0;
  while (filled < size) {
    const ssize_t got = read(file, to + filled, size - filled);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      return fail(ErrorDomain::input, what, system_reason(), {}, errno);
    }
    if (got == 0) {
      break;
    }
    filled += static_cast<std::size_t>(got);
  }
  return filled;
}

// A pipe does not say how much is to come: read by pieces, never more than one beyond the limit.
Result<std::string> read_pipe(int pipe, std::uint64_t limit_bytes, const std::string& what) {
  // From here on wait for the writer; a named pipe that nobody has open for writing ends at once.
  if (fcntl(pipe, F_SETFL, 0) != 0) {
    return fail(ErrorDomain::input, what, system_reason(), {}, errno);
  }
  std::string bytes;
  while (bytes.size() <= limit_bytes) {
    const std::size_t before = bytes.size();
    bytes.resize(std::min<std::uint64_t>(before + std::max(piece_bytes, before), limit_bytes + 1));
    const auto got = read_into(pipe, bytes.data() + before, bytes.size() - before, what);
    if (!got) {
      return tl::make_unexpected(got.error());
    }
    const bool ended = before + *got < bytes.size();
    bytes.resize(before + *got);
    if (ended) {
      break;
    }
  }
  if (bytes.size() > limit_bytes) {
    return fail(ErrorDomain::input, what,
                fmt::format("more than the limit of {} bytes came through it", limit_bytes));
  }
  if (bytes.empty()) {
    return fail(ErrorDomain::input, what, "nothing came through the pipe");
  }
  return bytes;
}

enum class Pipes : bool { refused, read };

Result<std::string> read_whole(const std::filesystem::path& path, std::uint64_t limit_bytes,
                               Pipes pipes) {
  if (path.empty()) {
    return fail(ErrorDomain::input, "opening a file", "its name is empty");
  }
  const std::string what = "opening " + path.string();
  // O_NONBLOCK: opening a named pipe must not wait for a writer that may never come.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) {
    return fail(ErrorDomain::input, what, system_reason(), {}, errno);
  }
  struct stat status {};
  if (fstat(file.get(), &status) != 0) {
    return fail(ErrorDomain::input, what, system_reason(), {}, errno);
  }
  if (S_ISFIFO(status.st_mode) && pipes == Pipes::read) {
    return read_pipe(file.get(), limit_bytes, what);
  }
  if (!S_ISREG(status.st_mode)) {
    return fail(ErrorDomain::input, what,
                S_ISDIR(status.st_mode)   ? "it is a folder"
                : S_ISCHR(status.st_mode) ? "it is a terminal or another device, not a file"
                                          : "it is not a regular file");
  }
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size > limit_bytes) {
    return fail(ErrorDomain::input, what,
                fmt::format("it holds {} bytes, more than the limit of {}", size, limit_bytes));
  }
  std::string bytes(static_cast<std::size_t>(size), '\0');
  return read_into(file.get(), bytes.data(), bytes.size(), what).map([&](std::size_t filled) {
    bytes.resize(filled);  // less when it shrank while being read
    return std::move(bytes);
  });
}

}  // namespace

Result<std::string> read_file(const std::filesystem::path& path, std::uint64_t limit_bytes) {
  return read_whole(path, limit_bytes, Pipes::read);
}

Result<std::string> read_regular_file(const std::filesystem::path& path,
                                      std::uint64_t limit_bytes) {
  return read_whole(path, limit_bytes, Pipes::refused);
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
  if (status.st_size == 0 && status.st_uid == geteuid()) {
    give_to_folder_owner(file.get(), path);
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
