// An attention problem on the device, ready to run: inputs, outputs, scratch memory and the
// variants that can run it, all of one direction. Every phase of the measurement works on one
// bench.
//
// Backward, a forward pass has run once for O and the LSE, and every variant has saved what it
// keeps from it: only the backward pass itself is repeated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/core/error.h"
#include "analyzer/session/session.h"
#include "collector/attention/measured_variant.h"
#include "collector/cuda/handles.h"
#include "kernels/attention/inputs.h"
#include "kernels/attention/problem.h"

namespace ridgepoint::collector {

// The shape as the kernels take it; fails (usage) on what no kernel could mean. Fills in
// softmax_scale when it is 0.
Result<kernels::AttentionProblem> problem_of(AttentionShape& shape);

class AttentionBench {
 public:
  // Allocates everything and copies deterministic inputs to the device. `variants` is not empty.
  static Result<AttentionBench> create(const kernels::AttentionProblem& problem,
                                       const std::vector<MeasuredVariant>& variants,
                                       const DeviceInfo& device, std::uint64_t seed);

  const kernels::AttentionProblem& problem() const { return problem_; }
  bool backward() const { return variants_.front().backward() != nullptr; }
  const kernels::AttentionData& data() const { return data_; }
  const std::vector<std::uint16_t>& d_o() const { return d_o_data_; }  // empty forward
  const std::vector<MeasuredVariant>& variants() const { return variants_; }
  cudaStream_t stream() const { return stream_.get(); }
  std::size_t eviction_bytes() const { return eviction_bytes_; }

  Status run(const MeasuredVariant& variant) const;  // asynchronous, on stream()
  Status synchronise(const std::string& what) const;
  // Fills the outputs with NaN, so that an element no kernel wrote cannot pass for a result.
  Status poison_outputs() const;
  Status evict_l2() const;
  Status read_outputs(std::vector<std::uint16_t>& o, std::vector<float>& lse) const;  // forward
  struct Gradients {
    std::vector<std::uint16_t> dq, dk, dv;
  };
  Status read_gradients(Gradients& gradients) const;  // backward

 private:
  AttentionBench() = default;
  Status allocate(const DeviceInfo& device);
  Status upload(std::uint64_t seed);
  Status keep_from_forward() const;
  kernels::AttentionGradients gradients_of(const MeasuredVariant& variant) const;

  kernels::AttentionProblem problem_;
  std::vector<MeasuredVariant> variants_;
  kernels::AttentionData data_;
  std::vector<std::uint16_t> d_o_data_;
  Stream stream_;
  DeviceMemory q_, k_, v_, o_, lse_;
  DeviceMemory d_o_, dq_, dk_, dv_;  // backward
  std::vector<DeviceMemory> saved_;  // backward, one a variant
  DeviceMemory workspace_;           // of the variant that needs most; they run one at a time
  DeviceMemory eviction_, sink_;
  std::size_t eviction_bytes_ = 0;
};

}  // namespace ridgepoint::collector
