// What a thread has of its own, found in a few instructions: thread_local data of a library that is
// loaded late is reached by a call of the dynamic linker.
//
// There are so many more places than programs have threads that launch, that a thread seldom finds
// its own taken; it goes without then. A place is of the thread that took it until that gives it
// back, at its end. If it does not, the next thread at the same address has what was its own.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace ridgepoint::collector {

template <class Own>
class ThreadPlaces {
 public:
  // Of the calling thread; null: it has none here.
  const Own* find() const {
    const std::uintptr_t here = this_thread();
    const Place& place = places_[place_of(here)];
    return place.thread.load(std::memory_order_relaxed) == here ? &place.own : nullptr;
  }
  // Whether the calling thread has a place now.
  bool set(Own own) {
    const std::uintptr_t here = this_thread();
    Place& place = places_[place_of(here)];
    std::uintptr_t nobody = 0;
    if (place.thread.load(std::memory_order_relaxed) != here &&
        !place.thread.compare_exchange_strong(nobody, here, std::memory_order_acquire)) {
      return false;
    }
    place.own = std::move(own);
    return true;
  }
  // Of any thread, none of which may use its own meanwhile.
  template <class Whether>
  void give_back_where(Whether whether) {
    for (Place& place : places_) {
      if (place.thread.load(std::memory_order_acquire) != 0 && whether(place.own)) {
        place.own = {};
        place.thread.store(0, std::memory_order_release);
      }
    }
  }
  void give_back() {
    const std::uintptr_t here = this_thread();
    Place& place = places_[place_of(here)];
    if (place.thread.load(std::memory_order_relaxed) == here) {
      place.own = {};
      place.thread.store(0, std::memory_order_release);
    }
  }

 private:
  // Only the thread that a place is of reads or writes `own`.
  struct alignas(32) Place {
    std::atomic<std::uintptr_t> thread{0};  // 0: of none
    Own own = {};
  };
  // Where thread-local data is, by the ABIs for it ("ELF Handling For Thread-Local Storage").
  static std::uintptr_t this_thread() {
    return reinterpret_cast<std::uintptr_t>(__builtin_thread_pointer());
  }
  static std::size_t place_of(std::uintptr_t thread) {
    constexpr std::uint64_t golden = 0x9E3779B97F4A7C15;  // Fibonacci hashing
    return (thread * golden) >> (64U - places_log2);
  }
  static constexpr unsigned places_log2 = 10;
  std::array<Place, std::size_t{1} << places_log2> places_ = {};
};

}  // namespace ridgepoint::collector
