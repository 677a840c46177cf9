#include "collector/replay/memory_map.h"

#include <algorithm>

namespace ridgepoint::collector {

void MemoryMap::add(const MemoryRange& range) {
  if (range.address != 0 && range.bytes != 0) {
    ranges_.insert_or_assign(range.address, range).first->second.number = ++added_;
  }
}

std::vector<MemoryRange> MemoryMap::take(std::uint64_t address, std::size_t bytes) {
  std::vector<MemoryRange> taken;
  const auto begin = ranges_.lower_bound(address);
  auto end = begin;
  for (; end != ranges_.end() && end->first - address < bytes; ++end) {
    taken.push_back(end->second);
  }
  ranges_.erase(begin, end);
  return taken;
}

void MemoryMap::put_back(const std::vector<MemoryRange>& taken) {
  for (const MemoryRange& range : taken) {
    ranges_.insert_or_assign(range.address, range);
  }
}

void MemoryMap::remove_context(CUctx_st* context) {
  for (auto it = ranges_.begin(); it != ranges_.end();) {
    it = it->second.context == context ? ranges_.erase(it) : std::next(it);
  }
}

std::vector<std::uint64_t> MemoryMap::overlapping(std::uint64_t address, std::size_t bytes) const {
  std::vector<std::uint64_t> found;
  auto it = ranges_.upper_bound(address);
  if (it != ranges_.begin()) {
    const MemoryRange& before = std::prev(it)->second;
    it = address - before.address < before.bytes ? std::prev(it) : it;
  }
  for (; it != ranges_.end() && (it->first <= address || it->first - address < bytes); ++it) {
    found.push_back(it->first);
  }
  return found;
}

void MemoryMap::grant(std::uint64_t address, std::size_t bytes) {
  for (const std::uint64_t range : overlapping(address, bytes)) {
    ranges_.at(range).granted = true;
  }
}

bool MemoryMap::begins_access(std::uint64_t address, std::size_t bytes) const {
  const std::vector<std::uint64_t> found = overlapping(address, bytes);
  return !found.empty() && std::all_of(found.begin(), found.end(), [&](std::uint64_t at) {
    const MemoryRange& range = ranges_.at(at);
    return range.mapped && !range.granted;
  });
}

bool MemoryMap::came_after(std::uint64_t added, std::uint64_t address, std::size_t bytes) const {
  const std::vector<std::uint64_t> found = overlapping(address, bytes);
  return !found.empty() && std::all_of(found.begin(), found.end(), [&](std::uint64_t at) {
    return ranges_.at(at).number > added;
  });
}

std::vector<CUctx_st*> MemoryMap::owners(std::uint64_t address, std::size_t bytes) const {
  std::vector<CUctx_st*> owners;
  for (const std::uint64_t range : overlapping(address, bytes)) {
    owners.push_back(ranges_.at(range).context);
  }
  return owners;
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
