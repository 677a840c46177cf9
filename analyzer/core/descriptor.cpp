#include "analyzer/core/descriptor.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace ridgepoint {

Descriptor::~Descriptor() {
  close();
}

int Descriptor::close() {
  const int value = std::exchange(value_, -1);
  return value >= 0 ? ::close(value) : 0;
}

Status write_all(int descriptor, std::string_view bytes, const std::string& what) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0) {
      if (errno == EINTR) {
        continue;
      }
      const int code = errno;
      const std::string hint = code == ENOSPC ? "free some space, or write to another disk" : "";
      return fail(ErrorDomain::output, what, std::generic_category().message(code), hint, code);
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

}  // namespace ridgepoint
