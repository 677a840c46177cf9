#include "collector/inject/loaded_memory.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>

namespace ridgepoint::collector {
namespace {

// So that sums of places differ: squared, as sums of products are the product of a sum.
std::uintptr_t mixed(std::uintptr_t address) {
  constexpr std::uintptr_t golden = 0x9E3779B97F4A7C15;  // Fibonacci hashing
  const std::uintptr_t high = ((address + 1) * golden) >> 32U;
  return high * high;
}

}  // namespace

WritableMemory::WritableMemory() {
  using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
  const File maps(std::fopen("/proc/self/maps", "re"), std::fclose);
  known_ = maps != nullptr;
  char line[512];
  while (known_ && std::fgets(line, sizeof(line), maps.get()) != nullptr) {
    unsigned long long begin = 0;
    unsigned long long end = 0;
    char can_write = '-';
    // A long path's second half is no line of its own: it does not begin with a range.
    if (std::sscanf(line, "%llx-%llx %*c%c", &begin, &end, &can_write) == 3 && can_write == 'w') {
      parts_.emplace_back(begin, end);
    }
  }
}

bool WritableMemory::has(std::uintptr_t address) const {
  return !known_ || std::any_of(parts_.begin(), parts_.end(), [&](const auto& part) {
    return address >= part.first && address < part.second;
  });
}

std::uintptr_t page_bytes() {
  static const auto bytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

std::uintptr_t page_of(std::uintptr_t address) {
  return address & ~(page_bytes() - 1);
}

ReadOnlyAfterLoading read_only_after_loading(const dl_phdr_info& object) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = object.dlpi_phdr[i];
    if (part.p_type == PT_GNU_RELRO) {
      const std::uintptr_t address = object.dlpi_addr + part.p_vaddr;
      return {page_of(address), page_of(address + part.p_memsz)};
    }
  }
  return {};
}

bool object_contains(const dl_phdr_info& object, std::uintptr_t address) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = object.dlpi_phdr[i];
    const std::uintptr_t begin = object.dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_LOAD && address >= begin && address < begin + part.p_memsz) {
      return true;
    }
  }
  return false;
}

bool is_of_the_driver(const dl_phdr_info& object) {
  const char* slash = std::strrchr(object.dlpi_name, '/');
  const char* name = slash == nullptr ? object.dlpi_name : slash + 1;
  for (const char* begins : {"libcuda.so", "libcupti.so", "libnvperf_", "libnvidia-"}) {
    if (std::strncmp(name, begins, std::strlen(begins)) == 0) {
      return true;
    }
  }
  return false;
}

LoadedCode loaded_code() {
  LoadedCode code;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& all = *static_cast<LoadedCode*>(data);
        all.ever = info->dlpi_adds + info->dlpi_subs;
        if (is_of_the_driver(*info)) {
          ++all.driver_parts;
        } else {
          all.places += mixed(info->dlpi_addr);
        }
        return 0;
      },
      &code);
  return code;
}

bool is_still_loaded(LoadedCode& before) {
  unsigned long long ever = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        *static_cast<unsigned long long*>(data) = info->dlpi_adds + info->dlpi_subs;
        return 1;
      },
      &ever);
  if (ever == before.ever) {
    return true;
  }
  const LoadedCode now = loaded_code();
  const unsigned long long driver_parts = now.driver_parts > before.driver_parts
                                              ? now.driver_parts - before.driver_parts
                                              : before.driver_parts - now.driver_parts;
  if (now.places != before.places || now.ever - before.ever != driver_parts) {
    return false;
  }
  before = now;
  return true;
}

}  // namespace ridgepoint::collector
