// Launches of one thread by what their calls say: one that says what another has said is listed by
// a number, without a look at names, handles or contexts. In a program that does nothing but launch
// even the memory that is looked at shows.
//
// A number holds for one stretch (stretch.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "collector/inject/plain_launch.h"
#include "collector/inject/stretch.h"

namespace ridgepoint::collector {

class RepeatedLaunches {
 public:
  // Null: it has none.
  const std::uint32_t* find(const PlainLaunch& launch, Stretch::Word stretch) const {
    const Entry& entry = entries_[place_of(launch)];
    return entry.stretch == stretch && entry.launch == launch ? &entry.number : nullptr;
  }
  // In place of another, where programs launch many kinds in turn.
  void remember(const PlainLaunch& launch, Stretch::Word stretch, std::uint32_t number) {
    if (Stretch::may_repeat(stretch)) {
      entries_[place_of(launch)] = {launch, stretch, number};
    }
  }

 private:
  struct alignas(64) Entry {  // of one cache line
    PlainLaunch launch;
    Stretch::Word stretch = Stretch::never;
    std::uint32_t number = 0;
  };
  static constexpr unsigned places_log2 = 4;
  static std::size_t place_of(const PlainLaunch& launch) {
    const auto function = reinterpret_cast<std::uintptr_t>(launch.function);
    const auto stream = reinterpret_cast<std::uintptr_t>(launch.stream);
    constexpr std::uint64_t golden = 0x9E3779B97F4A7C15;  // Fibonacci hashing
    return ((function + stream + launch.size[0]) * golden) >> (64U - places_log2);
  }
  std::array<Entry, std::size_t{1} << places_log2> entries_;
};

}  // namespace ridgepoint::collector
