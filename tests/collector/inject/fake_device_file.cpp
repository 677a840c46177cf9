// /dev/nvidiactl in a program whose GPU is a fake: these stand before the C library's functions,
// also for the injection library, and ask fake_resource_manager.cpp. So a driver of this machine is
// never asked by tests of a fake.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>

namespace {

template <class Function>
Function fake(const char* name) {
  const char* path = std::getenv("RIDGEPOINT_CUPTI");
  void* library = path == nullptr ? nullptr : dlopen(path, RTLD_NOW | RTLD_NOLOAD);
  return library == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(library, name));
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const unsigned mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, unsigned) : 0;
  va_end(more);
  if (std::strcmp(path, "/dev/nvidiactl") == 0) {
    const auto has_manager = fake<int (*)()>("fake_has_manager");
    if (has_manager == nullptr || has_manager() == 0) {
      errno = ENOENT;
      return -1;
    }
    path = "/dev/null";
  }
  return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

__attribute__((visibility("default"))) int ioctl(int file, unsigned long request, ...) noexcept {
  va_list more;
  va_start(more, request);
  void* argument = va_arg(more, void*);
  va_end(more);
  constexpr unsigned long resource_manager = 'F';
  const auto ask = fake<int (*)(unsigned long, void*)>("fake_ask_manager");
  if (((request >> 8U) & 0xffU) == resource_manager && ask != nullptr &&
      fcntl(file, F_GETFD) != -1) {
    return ask(request, argument);
  }
  return static_cast<int>(syscall(SYS_ioctl, file, request, argument));
}

}  // extern "C"
