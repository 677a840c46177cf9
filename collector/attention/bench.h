// An attention problem on the device, ready to run: inputs, outputs, scratch memory and the
// variants that can run it. Every phase of the measurement works on one bench.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/core/error.h"
#include "analyzer/session/session.h"
#include "collector/cuda/handles.h"
#include "kernels/attention/inputs.h"
#include "kernels/attention/problem.h"
#include "kernels/attention/variant.h"

namespace ridgepoint::collector {

// The shape as the kernels take it; fails (usage) on what no kernel could mean. Fills in
// softmax_scale when it is 0.
Result<kernels::AttentionProblem> problem_of(AttentionShape& shape);

struct ChosenVariants {
  std::vector<const kernels::AttentionVariant*> variants;
  std::vector<Issue> skipped;  // of those not asked for by name
};
// `names` empty: every variant that can run the problem.
Result<ChosenVariants> choose_variants(const std::vector<std::string>& names,
                                       const kernels::AttentionProblem& problem,
                                       int compute_capability);

class AttentionBench {
 public:
  // Allocates everything and copies deterministic inputs to the device.
  static Result<AttentionBench> create(
      const kernels::AttentionProblem& problem,
      const std::vector<const kernels::AttentionVariant*>& variants, const DeviceInfo& device,
      std::uint64_t seed);

  const kernels::AttentionProblem& problem() const { return problem_; }
  const kernels::AttentionData& data() const { return data_; }
  const std::vector<const kernels::AttentionVariant*>& variants() const { return variants_; }
  cudaStream_t stream() const { return stream_.get(); }
  std::size_t eviction_bytes() const { return eviction_bytes_; }

  Status run(const kernels::AttentionVariant& variant) const;  // asynchronous, on stream()
  Status synchronise(const std::string& what) const;
  // Fills the outputs with NaN, so that an element no kernel wrote cannot pass for a result.
  Status poison_outputs() const;
  Status evict_l2() const;
  Status read_outputs(std::vector<std::uint16_t>& o, std::vector<float>& lse) const;

 private:
  AttentionBench() = default;

  kernels::AttentionProblem problem_;
  std::vector<const kernels::AttentionVariant*> variants_;
  kernels::AttentionData data_;
  Stream stream_;
  DeviceMemory q_, k_, v_, o_, lse_;
  DeviceMemory workspace_;  // of the variant that needs most; they run one at a time
  DeviceMemory eviction_, sink_;
  std::size_t eviction_bytes_ = 0;
};

}  // namespace ridgepoint::collector
