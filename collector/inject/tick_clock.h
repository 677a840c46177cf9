// The processor's counter as a clock for launches: reading it takes a few nanoseconds, where the
// system's clock takes some hundred in a virtual machine without a shared clock page.
//
// Life cycle: ticks() at each event -> mark() now and then -> wall_ns() of events since the mark
// before the last. One thread marks and converts.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace ridgepoint::collector {

class TickClock {
 public:
  // `wall_clock_ns` is what ticks are converted to.
  explicit TickClock(std::int64_t (*wall_clock_ns)());

  // Where the counter may stand still or differ between cores, this is the system's clock.
  static std::uint64_t ticks() { return is_steady() ? steady_ticks() : system_ticks(); }
  // ticks() where is_steady(), which does not change.
  static std::uint64_t steady_ticks() {
#if defined(__x86_64__)
    return __rdtsc();
#else
    return system_ticks();
#endif
  }
  static bool is_steady() {
    return counter_is_steady;
  }
  void mark();
  std::int64_t wall_ns(std::uint64_t ticks) const;

 private:
  static std::uint64_t system_ticks();
  static const bool counter_is_steady;
  struct Mark {
    std::uint64_t ticks = 0;
    std::int64_t wall_ns = 0;
  };
  Mark now() const;

  std::int64_t (*const wall_clock_ns_)();
  Mark before_;
  Mark last_;
};

}  // namespace ridgepoint::collector
