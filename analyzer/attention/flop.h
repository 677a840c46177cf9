// How much work an attention problem is, whatever the implementation: the floor that counters are
// compared with. Only the products count (Q K^T and P V; five products backward); softmax is left
// out, as every paper does.
#pragma once

#include "analyzer/session/session.h"

namespace ridgepoint {

inline constexpr double attention_element_bytes = 2;  // fp16 and bf16
inline constexpr double attention_lse_bytes = 4;      // one float a row

// Pairs (query, key) that the mask lets through, of one head. Causal is aligned bottom-right: row i
// sees key j iff j <= i + seqlen_k - seqlen_q, so that row i sees max(0, i + 1 + seqlen_k -
// seqlen_q) keys; rows without keys count 0.
inline double visible_pairs(const AttentionShape& shape) {
  const auto rows = static_cast<double>(shape.seqlen_q);
  const auto keys = static_cast<double>(shape.seqlen_k);
  if (!shape.causal) {
    return rows * keys;
  }
  const double unseen_by_first =
      keys > rows ? keys - rows : 0;  // the first row sees one key more than this
  return (keys * (keys + 1) - unseen_by_first * (unseen_by_first + 1)) / 2;
}

// 2 FLOP a multiply-add, head_dim multiply-adds a pair and product.
inline double product_flop(const AttentionShape& shape, double products) {
  return 2 * products * static_cast<double>(shape.batch) * static_cast<double>(shape.heads) *
         static_cast<double>(shape.head_dim) * visible_pairs(shape);
}

// 2 products forward, 5 backward: what a variant with recomputation executes, and the convention by
// which rates are published. One that keeps P executes 4.
inline double attention_flop(const AttentionShape& shape) {
  return product_flop(shape, shape.direction == "backward" ? 5 : 2);
}

// Bytes of the tensors, all heads.
inline double query_bytes(const AttentionShape& shape) {
  return attention_element_bytes * static_cast<double>(shape.batch) *
         static_cast<double>(shape.heads) * static_cast<double>(shape.seqlen_q) *
         static_cast<double>(shape.head_dim);
}
inline double key_bytes(const AttentionShape& shape) {  // of K; V is as large
  return attention_element_bytes * static_cast<double>(shape.batch) *
         static_cast<double>(shape.kv_heads) * static_cast<double>(shape.seqlen_k) *
         static_cast<double>(shape.head_dim);
}
inline double lse_bytes(const AttentionShape& shape) {
  return attention_lse_bytes * static_cast<double>(shape.batch) * static_cast<double>(shape.heads) *
         static_cast<double>(shape.seqlen_q);
}

// Forward: Q, K, V read once; O and the logarithm of the row sums written once. Any implementation
// moves at least this. Backward: Q, K, V, O, dO and those logarithms read, dQ, dK and dV written.
inline double compulsory_bytes(const AttentionShape& shape) {
  if (shape.direction == "backward") {
    return 4 * query_bytes(shape) + 4 * key_bytes(shape) + lse_bytes(shape);
  }
  return 2 * query_bytes(shape) + 2 * key_bytes(shape) + lse_bytes(shape);
}

}  // namespace ridgepoint
