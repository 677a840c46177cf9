// Operands whose products and sums are exact in every type that the kernels multiply.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ridgepoint::kernels::tile_test {

// -4 to 4 without 0, in no short period.
inline int small_integer(std::size_t i, std::uint32_t salt) {
  std::uint32_t x = static_cast<std::uint32_t>(i) * 2654435761U + salt * 40503U;
  x ^= x >> 15;
  x *= 2246822519U;
  x ^= x >> 13;
  const int value = static_cast<int>(x % 8U) - 4;
  return value >= 0 ? value + 1 : value;
}

}  // namespace ridgepoint::kernels::tile_test
