// One interface for every implementation of attention forward. A new variant is one folder and one
// line in variants.cpp; nothing else in the toolkit changes.
//
// Life cycle: find a variant, ask why it cannot run a problem (`unsupported_reason`), allocate
// `workspace_bytes` of device memory, `launch` as often as wanted on any stream. A launch is
// asynchronous, idempotent (inputs are never written, outputs are written whole) and allocates
// nothing, so that it may be replayed for counters.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/attention/problem.h"

namespace ridgepoint::kernels {

// Device pointers, 16-byte aligned (misaligned_reason), shapes as in problem.h: dense, so that
// there are no strides to give. Not owned. `lse` may be null.
struct AttentionTensors {
  const void* q = nullptr;
  const void* k = nullptr;
  const void* v = nullptr;
  void* o = nullptr;
  float* lse = nullptr;
  void* workspace = nullptr;  // at least workspace_bytes(problem), contents undefined
};

// Empty when every tensor begins at a multiple of 16 bytes; otherwise which does not, why that
// matters and what to do, for people.
std::string misaligned_reason(const AttentionTensors& tensors);

// What one kernel of a variant keeps on chip; the analyzer's IO and occupancy model reads it from
// the session.
struct KernelTile {
  std::string role;  // "attention", "scores", "softmax", "output", "split_attention", "combine"
  std::int32_t block_m = 0;    // query rows a thread block
  std::int32_t block_n = 0;    // key rows (or output columns) a step
  std::int32_t block_k = 0;    // depth of one step of the product, 0 where it has none
  std::int32_t stages = 0;     // buffers of the streamed operand
  std::int32_t threads = 0;    // a thread block
  std::size_t smem_bytes = 0;  // dynamic shared memory a thread block
};

class AttentionVariant {
 public:
  virtual ~AttentionVariant() = default;

  virtual std::string name() const = 0;  // "naive", "fused": used on the command line and in files
  virtual std::string description() const = 0;  // one line for people
  // Empty when the variant can run the problem on a GPU of this compute capability (90 for 9.0).
  virtual std::string unsupported_reason(const AttentionProblem& problem,
                                         int compute_capability) const = 0;
  // Whether a comparison that names no variants should run it: false where its idea cannot help.
  virtual bool by_default(const AttentionProblem&) const { return true; }
  // Of the current device, like a launch: it may depend on the number of its multiprocessors.
  virtual std::size_t workspace_bytes(const AttentionProblem& problem) const = 0;
  // The kernels of one launch, in launch order.
  virtual std::vector<KernelTile> tiles(const AttentionProblem& problem) const = 0;
  // With tensors that misaligned_reason refuses it answers cudaErrorMisalignedAddress, and the GPU
  // has not been touched.
  cudaError_t launch(const AttentionProblem& problem, const AttentionTensors& tensors,
                     cudaStream_t stream) const;

 private:
  // `launch` of aligned tensors.
  virtual cudaError_t run(const AttentionProblem& problem, const AttentionTensors& tensors,
                          cudaStream_t stream) const = 0;
};

// All variants, in the order reports show them. Static storage.
const std::vector<const AttentionVariant*>& attention_variants();
// Null when there is none of that name.
const AttentionVariant* find_attention_variant(const std::string& name);

}  // namespace ridgepoint::kernels
