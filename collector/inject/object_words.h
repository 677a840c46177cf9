// Words in the data of loaded programs and libraries, changed where they stand: such as pointers to
// functions of the driver, of which each copy of CUDA's runtime library keeps its own.
//
// Only words that have been written since the object was loaded can be such pointers, so only
// pages are read that this process has of its own: /proc/self/pagemap tells them from those that
// are still the file's. Of half a gigabyte of writable data in a PyTorch program that leaves a
// fifth. A program with more than 256 MB of them is left alone: looking through a gigabyte takes
// 0.4 s, which its end would wait for. What the loader has closed to writing is left alone:
// import_table.h knows what is there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ridgepoint::collector {

struct WordChange {
  std::uintptr_t from = 0;
  std::uintptr_t to = 0;
};

// Changes every aligned word that is one of `from`, and says how many these were; empty where the
// system does not tell which pages are this process's own, or these are too many, and then nothing
// has been changed.
// Objects in which one of `but_not` lies are left alone, as are parts of the driver and this
// library itself. Other threads may use the words, and load and unload libraries, meanwhile.
std::optional<std::size_t> change_object_words(const std::vector<WordChange>& changes,
                                               const std::vector<std::uintptr_t>& but_not);

}  // namespace ridgepoint::collector
