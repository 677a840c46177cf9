// The device memory that a program has allocated, as its driver calls say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

struct CUctx_st;

namespace ridgepoint::collector {

struct MemoryRange {
  std::uint64_t address = 0;
  std::size_t bytes = 0;
  CUctx_st* context = nullptr;  // current when it was allocated
  bool mapped = false;          // by cuMemMap: not accessible before cuMemSetAccess
  bool granted = false;         // that has been called for it
  std::uint64_t number = 0;     // of its add(), from 1 on
};

class MemoryMap {
 public:
  void add(const MemoryRange& range);
  // Ranges that begin inside, which are gone then; cuMemUnmap may give back several at once.
  std::vector<MemoryRange> take(std::uint64_t address, std::size_t bytes);
  // As they were: the call that was to free them has failed.
  void put_back(const std::vector<MemoryRange>& taken);
  void remove_context(CUctx_st* context);
  // Access to it is granted. `begins_access`: to memory that no kernel could touch so far.
  void grant(std::uint64_t address, std::size_t bytes);
  bool begins_access(std::uint64_t address, std::size_t bytes) const;
  // How often add() has added something; and whether all that overlaps came after so many.
  std::uint64_t added() const { return added_; }
  bool came_after(std::uint64_t added, std::uint64_t address, std::size_t bytes) const;
  const MemoryRange* find(std::uint64_t address) const;  // the range that holds it
  // Of all that overlaps; null among them where no context was current.
  std::vector<CUctx_st*> owners(std::uint64_t address, std::size_t bytes) const;
  std::vector<MemoryRange> of(CUctx_st* context) const;  // by address

 private:
  std::vector<std::uint64_t> overlapping(std::uint64_t address, std::size_t bytes) const;
  std::map<std::uint64_t, MemoryRange> ranges_;
  std::uint64_t added_ = 0;
};

}  // namespace ridgepoint::collector
