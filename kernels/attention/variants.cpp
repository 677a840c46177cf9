#include "kernels/attention/alignment.h"
#include "kernels/attention/fused/variant.h"
#include "kernels/attention/hopper/variant.h"
#include "kernels/attention/naive/variant.h"
#include "kernels/attention/split_kv/variant.h"
#include "kernels/attention/variant.h"

namespace ridgepoint::kernels {

std::string misaligned_reason(const AttentionTensors& t) {
  return misaligned_address({{"Q", t.q},
                             {"K", t.k},
                             {"V", t.v},
                             {"O", t.o},
                             {"the LSE", t.lse},
                             {"the workspace", t.workspace}});
}

cudaError_t AttentionVariant::launch(const AttentionProblem& problem,
                                     const AttentionTensors& tensors, cudaStream_t stream) const {
  return misaligned_reason(tensors).empty() ? run(problem, tensors, stream)
                                            : cudaErrorMisalignedAddress;
}

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
