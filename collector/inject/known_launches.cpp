#include "collector/inject/known_launches.h"

#include <cstdint>
#include <utility>

namespace ridgepoint::collector {

std::size_t KnownLaunches::first_place(const CUfunc_st* function, const CUstream_st* stream) {
  const auto f = reinterpret_cast<std::uintptr_t>(function) >> 4U;
  const auto s = reinterpret_cast<std::uintptr_t>(stream) >> 4U;
  return f ^ (f >> 12U) ^ (s * 31);
}

const KnownLaunches::Known* KnownLaunches::find(const CUfunc_st* function,
                                                const CUstream_st* stream) const {
  const std::size_t first = first_place(function, stream);
  for (std::size_t step = 0; step < steps; ++step) {
    const Known* known = places_[(first + step) % places].load(std::memory_order_acquire);
    if (known == nullptr || (known->function == function && known->stream == stream)) {
      return known;
    }
  }
  return nullptr;
}

void KnownLaunches::add(Known known) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (count_ >= most || kept_.size() >= most_ever) {
    return;
  }
  const std::size_t first = first_place(known.function, known.stream);
  for (std::size_t step = 0; step < steps; ++step) {
    std::atomic<const Known*>& place = places_[(first + step) % places];
    const Known* there = place;
    if (there == nullptr) {
      place.store(&kept_.emplace_back(std::move(known)), std::memory_order_release);
      ++count_;
      return;
    }
    if (there->function == known.function && there->stream == known.stream) {
      return;
    }
  }
}

void KnownLaunches::clear() {
  const std::lock_guard<std::mutex> lock(mutex_);
  count_ = 0;
  for (std::atomic<const Known*>& place : places_) {
    place = nullptr;
  }
}

}  // namespace ridgepoint::collector
