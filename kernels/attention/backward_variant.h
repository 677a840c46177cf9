// One interface for every implementation of attention backward, beside that of the forward
// (variant.h). A new variant is one folder and one line in backward_variants.cpp.
//
// Life cycle: find a variant, ask why it cannot run a problem, allocate `saved_bytes` and
// `workspace_bytes` of device memory, run a forward variant for O and the LSE, `save` what the
// backward pass needs beyond them, `launch` as often as wanted. Both calls are asynchronous and
// allocate nothing; `launch` is idempotent: inputs and what was saved are never written, gradients
// are written whole.
#pragma once

#include "kernels/attention/variant.h"

namespace ridgepoint::kernels {

// Device pointers, 16-byte aligned, shapes as in problem.h: dense, so that there are no strides to
// give. Not owned. The gradient of the loss by X is called dX.
struct AttentionGradients {
  const void* q = nullptr;
  const void* k = nullptr;
  const void* v = nullptr;
  const void* o = nullptr;
  const float* lse = nullptr;
  const void* d_o = nullptr;  // shape of O
  void* dq = nullptr;
  void* dk = nullptr;  // of a key head: summed over the query heads that read it
  void* dv = nullptr;
  void* saved = nullptr;      // at least saved_bytes(problem), filled by `save`
  void* workspace = nullptr;  // at least workspace_bytes(problem), contents undefined
};

// As that of the forward tensors (variant.h).
std::string misaligned_reason(const AttentionGradients& tensors);

class AttentionBackwardVariant {
 public:
  virtual ~AttentionBackwardVariant() = default;

  virtual std::string name() const = 0;
  virtual std::string description() const = 0;  // one line for people
  // Empty when the variant can run the problem on a GPU of this compute capability (90 for 9.0).
  virtual std::string unsupported_reason(const AttentionProblem& problem,
                                         int compute_capability) const = 0;
  // True when repeated launches give the same bits.
  virtual bool deterministic() const = 0;
  // What must be kept from the forward pass beyond O and the LSE. 0 for variants that compute the
  // probabilities again: that is the memory they save.
  virtual std::size_t saved_bytes(const AttentionProblem& problem) const = 0;
  virtual std::size_t workspace_bytes(const AttentionProblem& problem) const = 0;
  // The kernels of one launch, in launch order.
  virtual std::vector<KernelTile> tiles(const AttentionProblem& problem) const = 0;
  // Products of seqlen_q x seqlen_k x head_dim that a launch executes: 4 with P at hand, 5 when it
  // is computed again.
  virtual int products() const = 0;
  // With tensors that misaligned_reason refuses both answer cudaErrorMisalignedAddress, and the GPU
  // has not been touched.
  cudaError_t save(const AttentionProblem& problem, const AttentionGradients& tensors,
                   cudaStream_t stream) const;
  cudaError_t launch(const AttentionProblem& problem, const AttentionGradients& tensors,
                     cudaStream_t stream) const;

 private:
  // The same of aligned tensors.
  virtual cudaError_t run_save(const AttentionProblem& problem, const AttentionGradients& tensors,
                               cudaStream_t stream) const = 0;
  virtual cudaError_t run(const AttentionProblem& problem, const AttentionGradients& tensors,
                          cudaStream_t stream) const = 0;
};

// All variants, in the order reports show them. Static storage.
const std::vector<const AttentionBackwardVariant*>& attention_backward_variants();
// Null when there is none of that name.
const AttentionBackwardVariant* find_attention_backward_variant(const std::string& name);

}  // namespace ridgepoint::kernels
