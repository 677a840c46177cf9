// A backward problem on the GPU in the surroundings of gpu_harness.h: O and the LSE come from the
// portable forward kernel, every tensor lies between guard bands, gradients and workspace start as
// NaN.
#pragma once

#include <memory>

#include "kernels/attention/backward_variant.h"
#include "tests/kernels/gpu_harness.h"

namespace ridgepoint::kernels {

struct Gradients {
  std::vector<std::uint16_t> dq, dk, dv;
  bool operator==(const Gradients&) const = default;
};

// Ready to be launched any number of times, on any stream.
class BackwardOnGpu {
 public:
  BackwardOnGpu(const AttentionBackwardVariant& variant, const AttentionProblem& problem,
                const AttentionData& data, const std::vector<std::uint16_t>& d_o);
  BackwardOnGpu(BackwardOnGpu&&) noexcept;
  ~BackwardOnGpu();

  // Empty, or what went wrong while it was made ready.
  const std::string& failure() const { return failure_; }
  void poison() const;  // gradients and workspace
  cudaError_t launch(cudaStream_t stream = nullptr) const;
  Gradients gradients() const;  // waits for the device
  // Which guard band or input was written; empty when none was.
  std::string damage() const;

 private:
  struct Tensors;
  const AttentionBackwardVariant* variant_;
  AttentionProblem problem_;
  AttentionData data_;
  std::vector<std::uint16_t> d_o_;
  std::unique_ptr<Tensors> tensors_;
  std::vector<std::uint16_t> o_before_;
  std::vector<float> lse_before_;
  std::string failure_;
};

struct BackwardRun : Gradients {
  std::string failure;        // empty, or the CUDA error, or which guard band or input was written
  bool repeats_equal = true;  // every repeat gave the same bits as the first
};

BackwardRun run_backward_on_gpu(const AttentionBackwardVariant& variant,
                                const AttentionProblem& problem, const AttentionData& data,
                                const std::vector<std::uint16_t>& d_o, int repeats = 1);

}  // namespace ridgepoint::kernels
