#include "collector/inject/tick_clock.h"

#include <chrono>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace ridgepoint::collector {
namespace {

#if defined(__x86_64__)
// Intel's manual, volume 3, "Invariant TSC": constant rate in all states, bit 8 of EDX.
bool ask_processor() {
  constexpr unsigned leaf = 0x80000007;
  constexpr unsigned invariant_tsc = 1U << 8U;
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  return __get_cpuid(leaf, &eax, &ebx, &ecx, &edx) != 0 && (edx & invariant_tsc) != 0;
}
#else
bool ask_processor() {
  return true;  // the system's clock it is
}
#endif

}  // namespace

const bool TickClock::counter_is_steady = ask_processor();

std::uint64_t TickClock::system_ticks() {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                        std::chrono::steady_clock::now().time_since_epoch())
                                        .count());
}

TickClock::TickClock(std::int64_t (*wall_clock_ns)())
    : wall_clock_ns_(wall_clock_ns), before_(now()), last_(before_) {}

TickClock::Mark TickClock::now() const {
  return {ticks(), wall_clock_ns_()};
}

void TickClock::mark() {
  before_ = last_;
  last_ = now();
}

std::int64_t TickClock::wall_ns(std::uint64_t ticks) const {
  const auto since = static_cast<std::int64_t>(ticks - last_.ticks);  // mostly below zero
  const auto span = static_cast<double>(last_.ticks - before_.ticks);
  const auto span_ns = static_cast<double>(last_.wall_ns - before_.wall_ns);
  return span > 0 ? last_.wall_ns +
                        static_cast<std::int64_t>(static_cast<double>(since) * span_ns / span)
                  : last_.wall_ns;
}

}  // namespace ridgepoint::collector
