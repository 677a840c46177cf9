#include "collector/replay/shadow_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>

namespace ridgepoint::collector {
namespace {

constexpr std::size_t smallest_block = 256;  // the alignment of cuMemAlloc
constexpr std::size_t chunk_bytes = std::size_t{256} << 20U;

}  // namespace

Status ShadowPool::grow(std::size_t block) {
  const char* what = "saving device memory";
  std::size_t available = 0;
  std::size_t total = 0;
  if (Status told = driver_status(*driver_, driver_->mem_info(&available, &total), what); !told) {
    return told;
  }
  std::size_t wanted = std::max(chunk_bytes, block);
  if (available < wanted + memory_left_free) {
    wanted = block;  // a small program on a small or full device
  }
  if (available < wanted + memory_left_free) {
    return fail(ErrorDomain::device, what,
                fmt::format("{} MB of device memory are free, {} MB of which are left to the "
                            "program",
                            available >> 20U, memory_left_free >> 20U),
                "choose counters of one pass (--counters lite), or give the program less memory "
                "(XLA_PYTHON_CLIENT_PREALLOCATE=false for JAX)");
  }
  CUdeviceptr chunk = 0;
  if (Status made = driver_status(*driver_, driver_->mem_alloc(&chunk, wanted), what); !made) {
    return made;
  }
  chunks_.emplace(chunk, wanted);
  next_ = chunk;
  left_ = wanted;
  held_ += wanted;
  return {};
}

Result<std::shared_ptr<const CUdeviceptr>> ShadowPool::take(std::size_t bytes) {
  const std::size_t block = std::bit_ceil(std::max(bytes, smallest_block));
  std::vector<CUdeviceptr>& spare = free_[block];
  CUdeviceptr address = 0;
  if (!spare.empty()) {
    address = spare.back();
    spare.pop_back();
  } else {
    if (left_ < block) {
      if (Status grown = grow(block); !grown) {
        return tl::make_unexpected(grown.error());
      }
    }
    address = next_;
    next_ += block;
    left_ -= block;
  }
  return std::shared_ptr<const CUdeviceptr>(new CUdeviceptr(address),
                                            [this, block](const CUdeviceptr* given) {
                                              free_[block].push_back(*given);
                                              delete given;
                                            });
}

bool ShadowPool::holds(CUdeviceptr address) const {
  const auto after = chunks_.upper_bound(address);
  return after != chunks_.begin() && address - std::prev(after)->first < std::prev(after)->second;
}

void ShadowPool::release() {
  for (const auto& [chunk, bytes] : chunks_) {
    driver_->mem_free(chunk);
  }
  chunks_.clear();
  free_.clear();
  next_ = 0;
  left_ = held_ = 0;
}

}  // namespace ridgepoint::collector
