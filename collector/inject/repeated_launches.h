// Launches of one thread by what their calls say: one that says what another has said is listed by
// a number, without a look at names, handles or contexts. In a program that does nothing but launch
// even the memory that is looked at shows.
//
// A number holds for one stretch: as long as nothing happens by which the same call could mean
// another launch. No number holds for stretch 0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "collector/inject/plain_launch.h"

namespace ridgepoint::collector {

class RepeatedLaunches {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  std::uint32_t find(const PlainLaunch& launch, std::uint32_t stretch) const {
    const Entry& entry = entries_[place_of(launch)];
    return stretch != 0 && entry.stretch == stretch && entry.launch == launch ? entry.number : none;
  }
  // In place of another, where programs launch many kinds in turn.
  void remember(const PlainLaunch& launch, std::uint32_t stretch, std::uint32_t number) {
    entries_[place_of(launch)] = {launch, number, stretch};
  }

 private:
  struct alignas(64) Entry {  // of one cache line
    PlainLaunch launch;
    std::uint32_t number = none;
    std::uint32_t stretch = 0;
  };
  static constexpr std::size_t places = 16;
  static std::size_t place_of(const PlainLaunch& launch) {
    const auto function = reinterpret_cast<std::uintptr_t>(launch.function) >> 4U;
    const auto stream = reinterpret_cast<std::uintptr_t>(launch.stream) >> 6U;
    return (function ^ (function >> 8U) ^ stream ^ launch.size[0]) % places;
  }
  std::array<Entry, places> entries_;
};

}  // namespace ridgepoint::collector
