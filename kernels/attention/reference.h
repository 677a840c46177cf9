// Attention forward on the host, for chosen rows: the truth that kernels are judged by, and the
// error that 16-bit arithmetic cannot avoid.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/attention/inputs.h"
#include "kernels/attention/problem.h"

namespace ridgepoint::kernels {

struct RowId {
  std::int32_t batch = 0;
  std::int32_t head = 0;
  std::int32_t row = 0;
};

// Position of a row in O (times head_dim) and in the LSE.
constexpr std::int64_t row_index(const AttentionProblem& p, const RowId& id) {
  return (std::int64_t{id.batch} * p.heads + id.head) * p.seqlen_q + id.row;
}

std::vector<RowId> all_rows(const AttentionProblem& problem);
// At most `count` rows spread over all batches, heads and rows, the first and the last included;
// all rows when there are no more than `count`.
std::vector<RowId> sample_rows(const AttentionProblem& problem, std::int64_t count,
                               std::uint64_t seed);

enum class Arithmetic {
  exact,                  // double throughout
  rounded_probabilities,  // FP32 accumulation; exp(s - max) rounded to 16 bits before P V, as a
                          // fused kernel does
  rounded_scores,  // also S and the normalised P rounded to 16 bits, as a pipeline through HBM does
};

struct AttentionRows {
  std::vector<double> o;    // rows x head_dim, in the order asked for
  std::vector<double> lse;  // natural logarithm; -inf for rows that see no key
};

// `data` holds the whole tensors of the problem in its element type.
AttentionRows reference_rows(const AttentionProblem& problem, const AttentionData& data,
                             std::span<const RowId> rows,
                             Arithmetic arithmetic = Arithmetic::exact);

}  // namespace ridgepoint::kernels
