#include "kernels/attention/backward_variant.h"
#include "kernels/attention/fused_backward/variant.h"
#include "kernels/attention/hopper_backward/variant.h"
#include "kernels/attention/naive_backward/variant.h"

namespace ridgepoint::kernels {

const std::vector<const AttentionBackwardVariant*>& attention_backward_variants() {
  static const std::vector<const AttentionBackwardVariant*> variants = {
      &naive_backward::variant(), &fused_backward::variant(), &hopper_backward::variant(),
      &hopper_backward::deterministic_variant()};
  return variants;
}

const AttentionBackwardVariant* find_attention_backward_variant(const std::string& name) {
  for (const AttentionBackwardVariant* variant : attention_backward_variants()) {
    if (variant->name() == name) {
      return variant;
    }
  }
  return nullptr;
}

}  // namespace ridgepoint::kernels
