#include "kernels/attention/validate.h"

#include <cmath>

namespace ridgepoint::kernels {
namespace {

// Sums of a length and a tile stay in 32 bits, and element counts in 63 bits.
constexpr std::int32_t max_seqlen = 1 << 30;
constexpr std::int32_t max_head_dim = 1 << 16;

bool element_count_fits(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) {
  const double elements = static_cast<double>(a) * static_cast<double>(b) * static_cast<double>(c) *
                          static_cast<double>(d);
  return elements < 0x1p60;
}

}  // namespace

std::string invalid_reason(const AttentionProblem& p) {
  if (p.batch < 1 || p.heads < 1 || p.kv_heads < 1) {
    return "batch, heads and kv_heads must be at least 1";
  }
  if (p.heads % p.kv_heads != 0) {
    return "heads (" + std::to_string(p.heads) + ") must be a multiple of kv_heads (" +
           std::to_string(p.kv_heads) + ")";
  }
  if (p.seqlen_q < 0 || p.seqlen_k < 0) {
    return "sequence lengths must not be negative";
  }
  if (p.seqlen_q > max_seqlen || p.seqlen_k > max_seqlen) {
    return "sequence lengths must not exceed " + std::to_string(max_seqlen);
  }
  if (p.head_dim < 1 || p.head_dim > max_head_dim) {
    return "head_dim must be between 1 and " + std::to_string(max_head_dim);
  }
  if (!std::isfinite(p.softmax_scale) || p.softmax_scale < 0.0F) {
    return "the softmax scale must be positive and finite (0 means 1/sqrt(head_dim))";
  }
  if (!element_count_fits(p.batch, p.heads, p.seqlen_q, p.head_dim) ||
      !element_count_fits(p.batch, p.kv_heads, p.seqlen_k, p.head_dim) ||
      !element_count_fits(p.batch, p.heads, p.seqlen_q, p.seqlen_k)) {
    return "the tensors are too large to address";
  }
  return {};
}

}  // namespace ridgepoint::kernels
