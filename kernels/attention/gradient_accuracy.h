// Judges a kernel's dQ, dK and dV, each by the rule of accuracy.h with a factor of three: gradients
// sum up more roundings than O does.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/attention/gradient_reference.h"

namespace ridgepoint::kernels {

// Made once for all variants of a problem.
struct GradientBasis {
  AttentionProblem problem;
  std::vector<RowId> query_rows;
  std::vector<RowId> key_rows;
  GradientRows exact;
  std::array<double, 3> rounded_max_abs_error = {};  // of the 16-bit reference
  std::array<double, 3> tolerance = {};              // on |dQ|, |dK|, |dV| - exact
};

GradientBasis make_gradient_basis(const AttentionProblem& problem, const AttentionData& data,
                                  const std::vector<std::uint16_t>& d_o,
                                  std::vector<RowId> query_rows, std::vector<RowId> key_rows,
                                  Arithmetic yardstick = Arithmetic::rounded_scores);

struct GradientAccuracy {
  std::array<double, 3> max_abs_error = {};  // infinite when a NaN or an infinity came out
  std::string failure;                       // empty when passed; otherwise the first bad element
};

// The whole gradient tensors.
GradientAccuracy check_gradients(const GradientBasis& basis, const std::vector<std::uint16_t>& dq,
                                 const std::vector<std::uint16_t>& dk,
                                 const std::vector<std::uint16_t>& dv);

}  // namespace ridgepoint::kernels
