#include "bench/attention_c_api.h"

#include "kernels/attention/backward_variant.h"

#define RIDGEPOINT_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

using namespace ridgepoint::kernels;

AttentionProblem problem_of(const ridgepoint_attention_problem& p) {
  AttentionProblem problem;
  problem.batch = p.batch;
  problem.heads = p.heads;
  problem.kv_heads = p.kv_heads;
  problem.seqlen_q = p.seqlen_q;
  problem.seqlen_k = p.seqlen_k;
  problem.head_dim = p.head_dim;
  problem.dtype = p.bf16 != 0 ? DataType::bf16 : DataType::fp16;
  problem.causal = p.causal != 0;
  return problem;
}

AttentionGradients gradients_of(const ridgepoint_attention_tensors& t) {
  return {t.q, t.k, t.v, t.o, t.lse, t.d_o, t.dq, t.dk, t.dv, t.saved, t.workspace};
}

int code_of(cudaError_t launched) {
  return launched == cudaErrorMisalignedAddress ? ridgepoint_misaligned_tensor
                                                : static_cast<int>(launched);
}

}  // namespace

RIDGEPOINT_EXPORT int ridgepoint_attention_forward_bytes(const char* name,
                                                         const ridgepoint_attention_problem* p,
                                                         int capability, size_t* workspace) {
  const AttentionVariant* const variant = find_attention_variant(name);
  if (variant == nullptr) {
    return ridgepoint_unknown_variant;
  }
  if (!variant->unsupported_reason(problem_of(*p), capability).empty()) {
    return ridgepoint_unsupported_problem;
  }
  *workspace = variant->workspace_bytes(problem_of(*p));
  return 0;
}

RIDGEPOINT_EXPORT int ridgepoint_attention_forward(const char* name,
                                                   const ridgepoint_attention_problem* p,
                                                   const ridgepoint_attention_tensors* t,
                                                   void* stream) {
  const AttentionVariant* const variant = find_attention_variant(name);
  return variant == nullptr ? ridgepoint_unknown_variant
                            : code_of(variant->launch(
                                  problem_of(*p), {t->q, t->k, t->v, t->o, t->lse, t->workspace},
                                  static_cast<cudaStream_t>(stream)));
}

RIDGEPOINT_EXPORT int ridgepoint_attention_backward_bytes(const char* name,
                                                          const ridgepoint_attention_problem* p,
                                                          int capability, size_t* saved,
                                                          size_t* workspace) {
  const AttentionBackwardVariant* const variant = find_attention_backward_variant(name);
  if (variant == nullptr) {
    return ridgepoint_unknown_variant;
  }
  if (!variant->unsupported_reason(problem_of(*p), capability).empty()) {
    return ridgepoint_unsupported_problem;
  }
  *saved = variant->saved_bytes(problem_of(*p));
  *workspace = variant->workspace_bytes(problem_of(*p));
  return 0;
}

RIDGEPOINT_EXPORT int ridgepoint_attention_backward_save(const char* name,
                                                         const ridgepoint_attention_problem* p,
                                                         const ridgepoint_attention_tensors* t,
                                                         void* stream) {
  const AttentionBackwardVariant* const variant = find_attention_backward_variant(name);
  return variant == nullptr ? ridgepoint_unknown_variant
                            : code_of(variant->save(problem_of(*p), gradients_of(*t),
                                                             static_cast<cudaStream_t>(stream)));
}

RIDGEPOINT_EXPORT int ridgepoint_attention_backward(const char* name,
                                                    const ridgepoint_attention_problem* p,
                                                    const ridgepoint_attention_tensors* t,
                                                    void* stream) {
  const AttentionBackwardVariant* const variant = find_attention_backward_variant(name);
  return variant == nullptr ? ridgepoint_unknown_variant
                            : code_of(variant->launch(problem_of(*p), gradients_of(*t),
                                                               static_cast<cudaStream_t>(stream)));
}
