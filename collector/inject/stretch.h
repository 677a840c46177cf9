// In which stretch a process is: as long as nothing happens by which the same call could mean
// another launch, launches may be listed as what an earlier one was (repeated_launches.h). One
// word, as every launch looks at it.
#pragma once

#include <atomic>
#include <cstdint>

namespace ridgepoint::collector {

class Stretch {
 public:
  // What now() gave: the number of the stretch, and how often launches are held back from
  // repeating.
  using Word = std::uint64_t;
  static constexpr Word never = ~Word{0};  // now() gives it at no time

  Word now() const { return word_.load(std::memory_order_acquire); }
  // Where another word came in between, what held for this one may hold no more.
  Word now_relaxed() const { return word_.load(std::memory_order_relaxed); }
  static bool may_repeat(Word word) { return word != 0 && word <= ~std::uint32_t{0}; }

  // Not of two threads at once. No number is to come twice; 0: of none.
  void set(std::uint32_t number) {
    word_.fetch_add(Word{number} - (word_.load() & ~std::uint32_t{0}));
  }
  // No launch repeats from hold() to let_go(); of any thread, any number of times.
  void hold() { word_.fetch_add(one_hold); }
  void let_go() { word_.fetch_sub(one_hold); }

 private:
  static constexpr Word one_hold = Word{1} << 32U;
  std::atomic<Word> word_{0};
};

}  // namespace ridgepoint::collector
