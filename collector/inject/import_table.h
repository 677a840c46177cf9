// Calls that loaded code makes of a function in another library, through its import table (the
// global offset table of ELF), led to a function of ours instead.
//
// Why not LD_PRELOAD: every process that the program starts would get it, those that never use CUDA
// too; it must not stand before a sanitizer's library, and 32-bit programs complain of it. Here
// nothing changes until CUDA is there, and only in that process.
#pragma once

#include <string>
#include <vector>

namespace ridgepoint::collector {

struct Import {
  std::string name;
  void* replacement = nullptr;
};

class ImportTable {
 public:
  explicit ImportTable(std::vector<Import> imports) : imports_(std::move(imports)) {}
  // In all code that is loaded now, except in this library itself: so ours can call the real ones.
  // Costs next to nothing when no library has come since the last time. One thread at a time;
  // others may load libraries meanwhile: what the loader has not finished yet is left for the next
  // time.
  void replace();

 private:
  std::vector<Import> imports_;
  unsigned long long loaded_ = 0;  // libraries ever, when replace() last went through them
};

// What a call of `name` from the program would reach: the C library's, or that of a library which
// stands before it. Null when there is none.
void* real_function(const char* name);

}  // namespace ridgepoint::collector
