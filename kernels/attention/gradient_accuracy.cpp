#include "kernels/attention/gradient_accuracy.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <span>

#include "kernels/attention/half.h"

namespace ridgepoint::kernels {
namespace {

double error_of(double value, double expected) {
  const double error = std::fabs(value - expected);
  return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

struct Bound {
  double rounded_error = 0;
  double tolerance = 0;
};

// Three times the error of the 16-bit reference, the rounding of the largest result, and what FP32
// leaves of a gradient that is zero because dP and D cancel: both are sums of head_dim products.
Bound bound_of(DataType type, const std::vector<double>& rounded,
               const std::vector<double>& exact) {
  double error = 0;
  double largest = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    error = std::max(error, error_of(rounded[i], exact[i]));
    largest = std::max(largest, std::fabs(exact[i]));
  }
  const double unit = type == DataType::fp16 ? 0x1p-11 : 0x1p-8;
  return {error, 3 * error + 2 * unit * largest + 0x1p-18};
}

}  // namespace

GradientBasis make_gradient_basis(const AttentionProblem& p, const AttentionData& data,
                                  const std::vector<std::uint16_t>& d_o,
                                  std::vector<RowId> query_rows, std::vector<RowId> key_rows,
                                  Arithmetic yardstick) {
  GradientBasis basis;
  basis.problem = p;
  basis.query_rows = std::move(query_rows);
  basis.key_rows = std::move(key_rows);
  basis.exact = reference_gradient_rows(p, data, d_o, basis.query_rows, basis.key_rows);
  const GradientRows rounded =
      reference_gradient_rows(p, data, d_o, basis.query_rows, basis.key_rows, yardstick);
  const Bound bounds[] = {bound_of(p.dtype, rounded.dq, basis.exact.dq),
                          bound_of(p.dtype, rounded.dk, basis.exact.dk),
                          bound_of(p.dtype, rounded.dv, basis.exact.dv)};
  for (std::size_t t = 0; t < 3; ++t) {
    basis.rounded_max_abs_error[t] = bounds[t].rounded_error;
    basis.tolerance[t] = bounds[t].tolerance;
  }
  return basis;
}

GradientAccuracy check_gradients(const GradientBasis& basis, const std::vector<std::uint16_t>& dq,
                                 const std::vector<std::uint16_t>& dk,
                                 const std::vector<std::uint16_t>& dv) {
  const AttentionProblem& p = basis.problem;
  const auto d = static_cast<std::size_t>(p.head_dim);
  GradientAccuracy result;
  struct Tensor {
    const char* name;
    const std::vector<std::uint16_t>* values;
    const std::vector<double>* exact;
    const std::vector<RowId>* rows;
    bool of_keys;
  };
  const Tensor tensors[] = {{"dQ", &dq, &basis.exact.dq, &basis.query_rows, false},
                            {"dK", &dk, &basis.exact.dk, &basis.key_rows, true},
                            {"dV", &dv, &basis.exact.dv, &basis.key_rows, true}};
  for (std::size_t t = 0; t < 3; ++t) {
    const Tensor& tensor = tensors[t];
    for (std::size_t i = 0; i < tensor.rows->size(); ++i) {
      const RowId& id = (*tensor.rows)[i];
      const auto row =
          static_cast<std::size_t>(tensor.of_keys ? key_row_index(p, id) : row_index(p, id));
      for (std::size_t c = 0; c < d; ++c) {
        const auto value = static_cast<double>(decode(p.dtype, (*tensor.values)[row * d + c]));
        const double expected = (*tensor.exact)[i * d + c];
        const double error = error_of(value, expected);
        result.max_abs_error[t] = std::max(result.max_abs_error[t], error);
        if (error > basis.tolerance[t] && result.failure.empty()) {
          char text[200];
          std::snprintf(text, sizeof text,
                        "%s of batch %d, head %d, row %d, column %d is %.9g, expected %.9g "
                        "(tolerance %.3g)",
                        tensor.name, id.batch, id.head, id.row, static_cast<int>(c), value,
                        expected, basis.tolerance[t]);
          result.failure = text;
        }
      }
    }
  }
  return result;
}

}  // namespace ridgepoint::kernels
