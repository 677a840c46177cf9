#include "kernels/attention/fused/variant.h"
#include "kernels/attention/hopper/variant.h"
#include "kernels/attention/naive/variant.h"
#include "kernels/attention/split_kv/variant.h"
#include "kernels/attention/variant.h"

namespace ridgepoint::kernels {

const std::vector<const AttentionVariant*>& attention_variants() {
  static const std::vector<const AttentionVariant*> variants = {
      &naive::variant(), &fused::variant(), &hopper::variant(), &split_kv::variant()};
  return variants;
}

const AttentionVariant* find_attention_variant(const std::string& name) {
  for (const AttentionVariant* variant : attention_variants()) {
    if (variant->name() == name) {
      return variant;
    }
  }
  return nullptr;
}

}  // namespace ridgepoint::kernels
