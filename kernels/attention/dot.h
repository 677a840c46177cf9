// The scalar product that the references on the host are made of.
#pragma once

#include <cstddef>
#include <numeric>

namespace ridgepoint::kernels {

// Eight partial sums, which the compiler can keep in vector registers; the order is the same on
// every machine.
template <typename Real>
Real dot(const float* a, const float* b, std::size_t count) {
  constexpr std::size_t lanes = 8;
  Real partial[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      partial[lane] += static_cast<Real>(a[i + lane]) * static_cast<Real>(b[i + lane]);
    }
  }
  for (; i < count; ++i) {
    partial[0] += static_cast<Real>(a[i]) * static_cast<Real>(b[i]);
  }
  return std::accumulate(partial, partial + lanes, Real{0});
}

}  // namespace ridgepoint::kernels
