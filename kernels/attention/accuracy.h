// Judges a kernel's O and LSE.
//
// The rule is FlashAttention's own: the error against the exact result may be twice the error that
// a reference rounding where a 16-bit pipeline rounds makes on the same rows, plus the 16-bit
// rounding of a sum of that size. Rows that see no key must be exactly O = 0 and LSE = -inf.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/attention/reference.h"

namespace ridgepoint::kernels {

// What rows are compared with; made once for all variants of a problem.
struct AccuracyBasis {
  AttentionProblem problem;
  std::vector<RowId> rows;
  AttentionRows exact;
  double rounded_max_abs_error = 0;  // of the 16-bit reference, O
  double tolerance = 0;              // on |O - exact|
  double lse_tolerance = 0;          // on |LSE - exact|
};

AccuracyBasis make_accuracy_basis(const AttentionProblem& problem, const AttentionData& data,
                                  std::vector<RowId> rows,
                                  Arithmetic yardstick = Arithmetic::rounded_scores);

struct AccuracyResult {
  double max_abs_error = 0;  // infinite when a NaN or an infinity came out
  double lse_max_abs_error = 0;
  std::string failure;  // empty when passed; otherwise the first bad row, for people

  bool passed() const { return failure.empty(); }
};

// `o` and `lse` are the whole output tensors; an empty `lse` is not judged.
AccuracyResult check_accuracy(const AccuracyBasis& basis, std::span<const std::uint16_t> o,
                              std::span<const float> lse);

}  // namespace ridgepoint::kernels
