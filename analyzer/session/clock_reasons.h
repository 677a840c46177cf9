// Why a GPU runs at the clocks it does: the bits of NVML's nvmlClocksEventReasons, which the
// session keeps as they were read. Idle, the application-clock setting, a display and a sync-boost
// group are choices, not faults. The software power cap is the board's own limit at work: the
// clocks it leaves are what the same work gets there every time, so it is stated and spoils no
// verdict. The others slow the GPU down for heat or for the board's protection.
#pragma once

#include <cstdint>

namespace ridgepoint {

inline constexpr std::int64_t clock_reason_idle = 0x1;
inline constexpr std::int64_t clock_reason_power_cap = 0x4;
inline constexpr std::int64_t clock_reason_hw_slowdown = 0x8;
inline constexpr std::int64_t clock_reason_sw_thermal = 0x20;
inline constexpr std::int64_t clock_reason_hw_thermal = 0x40;
inline constexpr std::int64_t clock_reason_power_brake = 0x80;
inline constexpr std::int64_t clock_reasons_slowed =
    clock_reason_hw_slowdown | clock_reason_sw_thermal | clock_reason_hw_thermal |
    clock_reason_power_brake;

}  // namespace ridgepoint
