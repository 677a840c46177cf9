// The attention problem every variant solves, in plain C++17 so that .cu and host files share it.
//
// Tensors are dense, row-major, last dimension contiguous ("BHSD"). There are no strides: what is
// laid out otherwise must be copied first. Offsets are 64-bit, so that a tensor may have more than
// 2^31 elements.
//   Q, O : [batch][heads][seqlen_q][head_dim]      K, V : [batch][kv_heads][seqlen_k][head_dim]
//   LSE  : [batch][heads][seqlen_q], float, natural logarithm of sum(exp(scale * q.k))
// Query head h reads key/value head h / (heads / kv_heads).
#pragma once

#include <cmath>
#include <cstdint>

namespace ridgepoint::kernels {

enum class DataType : std::uint8_t { fp16, bf16 };

struct AttentionProblem {
  std::int32_t batch = 1;
  std::int32_t heads = 1;
  std::int32_t kv_heads = 1;
  std::int32_t seqlen_q = 0;
  std::int32_t seqlen_k = 0;
  std::int32_t head_dim = 64;
  DataType dtype = DataType::fp16;
  // Bottom-right alignment: row i sees column j iff j <= i + seqlen_k - seqlen_q. Rows that see
  // nothing give O = 0 and LSE = -inf.
  bool causal = false;
  float softmax_scale = 0.0F;  // 0 means 1/sqrt(head_dim)
};

constexpr std::int64_t query_elements(const AttentionProblem& p) {
  return std::int64_t{p.batch} * p.heads * p.seqlen_q * p.head_dim;
}
constexpr std::int64_t key_elements(const AttentionProblem& p) {
  return std::int64_t{p.batch} * p.kv_heads * p.seqlen_k * p.head_dim;
}
constexpr std::int64_t row_count(const AttentionProblem& p) {
  return std::int64_t{p.batch} * p.heads * p.seqlen_q;
}

inline float resolved_softmax_scale(const AttentionProblem& p) {
  return p.softmax_scale != 0.0F ? p.softmax_scale
                                 : 1.0F / std::sqrt(static_cast<float>(p.head_dim));
}

// Keys that query row `row` sees.
constexpr std::int64_t visible_keys(const AttentionProblem& p, std::int64_t row) {
  const std::int64_t limit = p.causal ? row + 1 + p.seqlen_k - p.seqlen_q : p.seqlen_k;
  return limit < 0 ? 0 : limit < p.seqlen_k ? limit : p.seqlen_k;
}

}  // namespace ridgepoint::kernels
