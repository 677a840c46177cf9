// Memory of the programs and libraries that this process has loaded, for those who change words in
// it.
#pragma once

#include <link.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace ridgepoint::collector {

// The memory of this process that can be written, as it was when this was made. All of it, where
// the system does not say.
class WritableMemory {
 public:
  WritableMemory();
  bool has(std::uintptr_t address) const;

 private:
  bool known_ = false;
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> parts_;
};

std::uintptr_t page_bytes();
std::uintptr_t page_of(std::uintptr_t address);  // where it begins

// What the loader has made read-only once it had filled it; [0, 0) when there is none.
struct ReadOnlyAfterLoading {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  bool has(std::uintptr_t address) const { return address >= begin && address < end; }
};
ReadOnlyAfterLoading read_only_after_loading(const dl_phdr_info& object);

bool object_contains(const dl_phdr_info& object, std::uintptr_t address);

// Whether it is a part of the driver or of CUPTI: they launch by ways of their own, and CUPTI loads
// parts when it is asked something.
bool is_of_the_driver(const dl_phdr_info& object);

// What is loaded, but for parts of the driver.
struct LoadedCode {
  unsigned long long ever = 0;          // libraries that came and went, of all kinds
  unsigned long long driver_parts = 0;  // that are loaded
  std::uintptr_t places = 0;            // differs when others are loaded, elsewhere
};
LoadedCode loaded_code();
// The same as before? Costs next to nothing when no library came or went; else `before` is brought
// up to date where only parts of the driver came, or only went. A library that takes the place of
// another, or its own once more, is another one: its data is new.
bool is_still_loaded(LoadedCode& before);

}  // namespace ridgepoint::collector
