#include "kernels/attention/accuracy.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "kernels/attention/half.h"

namespace ridgepoint::kernels {
namespace {

// |value - expected|, infinite when a comparison with the tolerance would lie.
double error_of(double value, double expected) {
  if (value == expected) {
    return 0;  // also -inf against -inf
  }
  const double error = std::fabs(value - expected);
  return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

double max_error(std::span<const double> values, std::span<const double> expected) {
  double max = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    max = std::max(max, error_of(values[i], expected[i]));
  }
  return max;
}

// What adding and taking away 0.3 in the 16-bit type changes.
double rounding_floor(DataType type, std::span<const double> values) {
  double max = 0;
  for (const double value : values) {
    const float start = round_to(type, static_cast<float>(value));
    const float back = round_to(type, round_to(type, start + 0.3F) - 0.3F);
    max = std::max(max, error_of(static_cast<double>(back), static_cast<double>(start)));
  }
  return max;
}

std::string describe(const RowId& id, const char* what, double value, double expected,
                     double tolerance) {
  char text[200];
  std::snprintf(text, sizeof text,
                "%s of batch %d, head %d, row %d is %.9g, expected %.9g (tolerance %.3g)", what,
                id.batch, id.head, id.row, value, expected, tolerance);
  return text;
}

}  // namespace

AccuracyBasis make_accuracy_basis(const AttentionProblem& p, const AttentionData& data,
                                  std::vector<RowId> rows, Arithmetic yardstick) {
  AccuracyBasis basis;
  basis.problem = p;
  basis.rows = std::move(rows);
  basis.exact = reference_rows(p, data, basis.rows, Arithmetic::exact);
  const AttentionRows rounded = reference_rows(p, data, basis.rows, yardstick);
  basis.rounded_max_abs_error = max_error(rounded.o, basis.exact.o);
  basis.tolerance = 2 * basis.rounded_max_abs_error + 2 * rounding_floor(p.dtype, basis.exact.o);
  // The LSE is FP32: its own last places count where logits are huge.
  double largest = 0;
  for (const double lse : basis.exact.lse) {
    largest = std::max(largest, std::isfinite(lse) ? std::fabs(lse) : 0);
  }
  basis.lse_tolerance = 2 * max_error(rounded.lse, basis.exact.lse) + 1e-3 + largest * 4 * 0x1p-24;
  return basis;
}

AccuracyResult check_accuracy(const AccuracyBasis& basis, std::span<const std::uint16_t> o,
                              std::span<const float> lse) {
  const AttentionProblem& p = basis.problem;
  const auto d = static_cast<std::size_t>(p.head_dim);
  AccuracyResult result;
  const auto fail = [&](std::string text) {
    if (result.failure.empty()) {
      result.failure = std::move(text);
    }
  };
  for (std::size_t i = 0; i < basis.rows.size(); ++i) {
    const RowId& id = basis.rows[i];
    const auto index = static_cast<std::size_t>(row_index(p, id));
    const bool empty = visible_keys(p, id.row) == 0;
    const double tolerance = empty ? 0 : basis.tolerance;
    for (std::size_t c = 0; c < d; ++c) {
      const double value = static_cast<double>(decode(p.dtype, o[index * d + c]));
      const double expected = basis.exact.o[i * d + c];
      const double error = error_of(value, expected);
      result.max_abs_error = std::max(result.max_abs_error, error);
      if (error > tolerance) {
        fail(describe(id, "O", value, expected, tolerance));
      }
    }
    if (!lse.empty()) {
      const double value = static_cast<double>(lse[index]);
      const double error = error_of(value, basis.exact.lse[i]);
      result.lse_max_abs_error = std::max(result.lse_max_abs_error, error);
      if (error > (empty ? 0 : basis.lse_tolerance)) {
        fail(describe(id, "LSE", value, basis.exact.lse[i], basis.lse_tolerance));
      }
    }
  }
  return result;
}

}  // namespace ridgepoint::kernels
