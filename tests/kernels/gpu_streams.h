// Streams, captured graphs and other work on the GPU, for tests of launches.
#pragma once

#include <gtest/gtest.h>

#include "kernels/attention/variant.h"
#include "kernels/runtime/device_buffer.h"

namespace ridgepoint::kernels {

class Stream {
 public:
  Stream() { EXPECT_EQ(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), cudaSuccess); }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

// What `launch(stream)` does, captured once and run `times` times.
template <class Launch>
void run_as_graph(const Launch& launch, int times) {
  const Stream stream;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal), cudaSuccess);
  EXPECT_EQ(launch(stream.get()), cudaSuccess);
  ASSERT_EQ(cudaStreamEndCapture(stream.get(), &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
  for (int i = 0; i < times; ++i) {
    EXPECT_EQ(cudaGraphLaunch(executable, stream.get()), cudaSuccess);
  }
  EXPECT_EQ(cudaStreamSynchronize(stream.get()), cudaSuccess);
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
}

// Keeps multiprocessors and memory busy from two other streams: kernels of one thread block each
// take a place on some of the multiprocessors, and fills evict what others have in L2.
class BusyNeighbours {
 public:
  BusyNeighbours() : memory_(std::size_t{96} << 20), tensors_(std::size_t{4} << 20) {
    EXPECT_EQ(memory_.error(), cudaSuccess);
    EXPECT_EQ(cudaMemset(tensors_.data(), 0x3C, tensors_.bytes()), cudaSuccess);
    problem_.heads = problem_.kv_heads = 20;
    problem_.seqlen_q = 128;
    problem_.seqlen_k = 700;
  }
  // More work for both streams; returns at once.
  void work() const {
    EXPECT_EQ(cudaMemsetAsync(memory_.data(), 0, memory_.bytes(), fills_.get()), cudaSuccess);
    std::byte* const base = tensors_.data();
    constexpr std::size_t quarter = std::size_t{1} << 20;
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(
          find_attention_variant("fused")->launch(
              problem_,
              {base, base + quarter / 2, base + quarter / 2, base + 3 * quarter, nullptr, nullptr},
              kernels_.get()),
          cudaSuccess);
    }
  }

 private:
  DeviceBuffer memory_;
  DeviceBuffer tensors_;
  AttentionProblem problem_;
  Stream fills_;
  Stream kernels_;
};

}  // namespace ridgepoint::kernels
