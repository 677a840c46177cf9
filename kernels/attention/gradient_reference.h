// Attention backward on the host, for chosen rows: the truth that backward kernels are judged by,
// and the error that 16-bit arithmetic cannot avoid.
//
//   P = softmax(scale * Q K^T)    dP = dO V^T    D = rowsum(P * dP)    dS = P * (dP - D)
//   dV = P^T dO                   dK = scale * dS^T Q                  dQ = scale * dS K
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "kernels/attention/reference.h"

namespace ridgepoint::kernels {

// Position of a key row in dK and dV (times head_dim); `head` is a key head.
constexpr std::int64_t key_row_index(const AttentionProblem& p, const RowId& id) {
  return (std::int64_t{id.batch} * p.kv_heads + id.head) * p.seqlen_k + id.row;
}

// At most `count` key rows of at most `most_heads` key heads, spread as sample_rows spreads query
// rows.
std::vector<RowId> sample_key_rows(
    const AttentionProblem& problem, std::int64_t count, std::uint64_t seed,
    std::int64_t most_heads = std::numeric_limits<std::int32_t>::max());

struct GradientRows {
  std::vector<double> dq;  // query rows x head_dim, in the order asked for
  std::vector<double> dk;  // key rows x head_dim
  std::vector<double> dv;
};

// `d_o` holds all of dO in the element type of the problem. A key row costs a pass over all queries
// of its group, so few key heads are much cheaper than many.
//
// With Arithmetic::rounded_probabilities the operands P and dS and the O that D is made of are
// rounded to 16 bits and sums are FP32, as in a fused kernel; with rounded_scores also S, dP and
// the P that dS is made of, as in a pipeline through HBM.
GradientRows reference_gradient_rows(const AttentionProblem& problem, const AttentionData& data,
                                     const std::vector<std::uint16_t>& d_o,
                                     std::span<const RowId> query_rows,
                                     std::span<const RowId> key_rows,
                                     Arithmetic arithmetic = Arithmetic::exact);

}  // namespace ridgepoint::kernels
