// The session's device and policy hold plain numbers in which 0 stands for "not known": an imported
// file, for one, names no L2 size. A reader must never take that for a measured zero, so every
// report passes them through here: n/a for people, null for scripts.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

namespace ridgepoint {

inline std::optional<double> known(double value) {
  return std::isfinite(value) && value > 0 ? std::optional<double>(value) : std::nullopt;
}
inline std::optional<std::int64_t> known(std::int64_t value) {
  return value > 0 ? std::optional<std::int64_t>(value) : std::nullopt;
}

}  // namespace ridgepoint
