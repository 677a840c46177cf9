#include "collector/replay/memory_map.h"

namespace ridgepoint::collector {

void MemoryMap::add(const MemoryRange& range) {
  if (range.address != 0 && range.bytes != 0) {
    ranges_.insert_or_assign(range.address, range);
  }
}

bool MemoryMap::remove(std::uint64_t address, std::size_t bytes) {
  const auto begin = ranges_.lower_bound(address);
  auto end = begin;
  while (end != ranges_.end() && end->first - address < bytes) {
    ++end;
  }
  const bool known = begin != end;
  ranges_.erase(begin, end);
  return known;
}

void MemoryMap::remove_context(CUctx_st* context) {
  for (auto it = ranges_.begin(); it != ranges_.end();) {
    it = it->second.context == context ? ranges_.erase(it) : std::next(it);
  }
}

const MemoryRange* MemoryMap::find(std::uint64_t address) const {
  auto after = ranges_.upper_bound(address);
  if (after == ranges_.begin()) {
    return nullptr;
  }
  --after;
  return address - after->first < after->second.bytes ? &after->second : nullptr;
}

std::vector<MemoryRange> MemoryMap::of(CUctx_st* context) const {
  std::vector<MemoryRange> found;
  for (const auto& [address, range] : ranges_) {
    if (range.context == context) {
      found.push_back(range);
    }
  }
  return found;
}

}  // namespace ridgepoint::collector
