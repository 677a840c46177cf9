#include "kernels/attention/alignment.h"
#include "kernels/attention/backward_variant.h"
#include "kernels/attention/fused_backward/variant.h"
#include "kernels/attention/hopper_backward/variant.h"
#include "kernels/attention/naive_backward/variant.h"

namespace ridgepoint::kernels {

std::string misaligned_reason(const AttentionGradients& t) {
  return misaligned_address({{"Q", t.q},
                             {"K", t.k},
                             {"V", t.v},
                             {"O", t.o},
                             {"the LSE", t.lse},
                             {"dO", t.d_o},
                             {"dQ", t.dq},
                             {"dK", t.dk},
                             {"dV", t.dv},
                             {"what was saved", t.saved},
                             {"the workspace", t.workspace}});
}

cudaError_t AttentionBackwardVariant::save(const AttentionProblem& problem,
                                           const AttentionGradients& tensors,
                                           cudaStream_t stream) const {
  return misaligned_reason(tensors).empty() ? run_save(problem, tensors, stream)
                                            : cudaErrorMisalignedAddress;
}

cudaError_t AttentionBackwardVariant::launch(const AttentionProblem& problem,
                                             const AttentionGradients& tensors,
                                             cudaStream_t stream) const {
  return misaligned_reason(tensors).empty() ? run(problem, tensors, stream)
                                            : cudaErrorMisalignedAddress;
}

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
