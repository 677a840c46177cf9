// The Hopper variant as a persistent kernel: tile edges, the tile counter, replays, many launches,
// neighbours.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "kernels/attention/accuracy.h"
#include "kernels/attention/half.h"
#include "kernels/attention/hopper/variant.h"
#include "kernels/runtime/device_buffer.h"
#include "tests/kernels/gpu_harness.h"

namespace ridgepoint::kernels {
namespace {

class HopperSchedule : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    const std::string reason = no_gpu_reason();
    if (!reason.empty()) {
      GTEST_SKIP() << reason;
    }
    const std::string unsupported =
        hopper::variant().unsupported_reason(problem(1, 1, false), compute_capability());
    if (!unsupported.empty()) {
      GTEST_SKIP() << unsupported;
    }
  }
  static AttentionProblem problem(int seqlen_q, int seqlen_k, bool causal) {
    AttentionProblem p;
    p.heads = 4;
    p.kv_heads = 2;
    p.seqlen_q = seqlen_q;
    p.seqlen_k = seqlen_k;
    p.head_dim = GetParam();
    p.causal = causal;
    return p;
  }
};

// One problem's tensors on the device and a launch of it.
class Launched {
 public:
  explicit Launched(const AttentionProblem& p, std::uint64_t seed = 1)
      : problem_(p),
        data_(random_attention_data(p, seed)),
        q_(upload(data_.q)),
        k_(upload(data_.k)),
        v_(upload(data_.v)),
        o_(data_.q.size() * 2),
        lse_(static_cast<std::size_t>(row_count(p)) * sizeof(float)),
        workspace_(hopper::variant().workspace_bytes(p)) {}

  cudaError_t launch(cudaStream_t stream = nullptr) const {
    return hopper::variant().launch(problem_,
                                    {q_.data(), k_.data(), v_.data(), o_.data(),
                                     reinterpret_cast<float*>(lse_.data()), workspace_.data()},
                                    stream);
  }
  void poison() const {
    cudaMemset(o_.data(), 0xFF, o_.bytes());
    cudaMemset(lse_.data(), 0xFF, lse_.bytes());
  }
  std::vector<std::uint16_t> output() const {
    std::vector<std::uint16_t> host(o_.bytes() / 2);
    EXPECT_EQ(cudaMemcpy(host.data(), o_.data(), o_.bytes(), cudaMemcpyDeviceToHost), cudaSuccess);
    return host;
  }
  std::uint32_t counter() const {
    std::uint32_t value = 0;
    EXPECT_EQ(cudaMemcpy(&value, workspace_.data(), sizeof(value), cudaMemcpyDeviceToHost),
              cudaSuccess);
    return value;
  }

 private:
  static DeviceBuffer upload(const std::vector<std::uint16_t>& host) {
    DeviceBuffer buffer(host.size() * 2);
    EXPECT_EQ(cudaMemcpy(buffer.data(), host.data(), buffer.bytes(), cudaMemcpyHostToDevice),
              cudaSuccess);
    return buffer;
  }
  AttentionProblem problem_;
  AttentionData data_;
  DeviceBuffer q_, k_, v_, o_, lse_, workspace_;
};

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

TEST_P(HopperSchedule, LengthsAroundTheEdgesOfATile) {
  const KernelTile tile = hopper::variant().tiles(problem(1, 1, false)).front();
  for (const int q_off : {-1, 0, 1}) {
    for (const int k_off : {-1, 0, 1}) {
      for (const int warpgroup_rows : {64, tile.block_m, 2 * tile.block_m}) {
        for (const bool causal : {false, true}) {
          const AttentionProblem p =
              problem(warpgroup_rows + q_off, 2 * tile.block_n + k_off, causal);
          const AttentionData data = random_attention_data(p, 1);
          const GpuRun run = run_on_gpu(hopper::variant(), p, data);
          ASSERT_EQ(run.failure, "");
          const AccuracyResult result =
              check_accuracy(make_accuracy_basis(p, data, sample_rows(p, 96, 1),
                                                 Arithmetic::rounded_probabilities),
                             run.o, run.lse);
          ASSERT_EQ(result.failure, "")
              << p.seqlen_q << " x " << p.seqlen_k << (causal ? " causal" : "");
        }
      }
    }
  }
}

// Every stage is used again; small enough for compute-sanitizer.
TEST_P(HopperSchedule, MoreTilesThanThreadBlocks) {
  for (const bool causal : {false, true}) {
    AttentionProblem p = problem(90, 170, causal);
    p.batch = 140;
    const AttentionData data = random_attention_data(p, 3);
    const GpuRun run = run_on_gpu(hopper::variant(), p, data);
    ASSERT_EQ(run.failure, "");
    const AccuracyResult result = check_accuracy(
        make_accuracy_basis(p, data, sample_rows(p, 300, 1), Arithmetic::rounded_probabilities),
        run.o, run.lse);
    EXPECT_EQ(result.failure, "");
  }
}

// More than 2^31 elements in Q and O, then in K and V: the last head has values of its own, which
// only right addresses find and only right addresses leave there.
TEST_P(HopperSchedule, HeadsBeyondTheThirtySecondBitAreReached) {
  constexpr int many_rows = 1 << 17;
  constexpr int few_rows = 16;
  if (free_device_bytes() < std::size_t{20} << 30) {
    GTEST_SKIP() << "needs 20 GiB of device memory";
  }
  for (const bool long_queries : {true, false}) {
    AttentionProblem p =
        problem(long_queries ? many_rows : few_rows, long_queries ? few_rows : many_rows, false);
    p.heads = p.kv_heads = (1 << 14) / p.head_dim + 1;
    const auto q_elements = static_cast<std::size_t>(query_elements(p));
    const auto k_elements = static_cast<std::size_t>(key_elements(p));
    ASSERT_GT(std::max(q_elements, k_elements), std::size_t{1} << 31);
    const DeviceBuffer q(2 * q_elements);
    const DeviceBuffer k(2 * k_elements);
    const DeviceBuffer v(2 * k_elements);
    const DeviceBuffer o(2 * q_elements);
    const DeviceBuffer lse(sizeof(float) * static_cast<std::size_t>(row_count(p)));
    for (const DeviceBuffer* buffer : {&q, &k, &v, &o, &lse}) {
      ASSERT_EQ(buffer->error(), cudaSuccess);
    }
    // FP16 0x3C3C is 1.0586 and 0x4040 is 2.125. All logits of a row are equal, so O is V.
    const std::size_t last_head_bytes = v.bytes() / static_cast<std::size_t>(p.heads);
    cudaMemset(q.data(), 0x3C, q.bytes());
    cudaMemset(k.data(), 0x3C, k.bytes());
    cudaMemset(v.data(), 0x3C, v.bytes() - last_head_bytes);
    cudaMemset(v.data() + v.bytes() - last_head_bytes, 0x40, last_head_bytes);
    cudaMemset(o.data(), 0xFF, o.bytes());
    cudaMemset(lse.data(), 0xFF, lse.bytes());
    ASSERT_EQ(hopper::variant().launch(p,
                                       {q.data(), k.data(), v.data(), o.data(),
                                        reinterpret_cast<float*>(lse.data()), nullptr},
                                       nullptr),
              cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    const auto value_at = [&](std::size_t element) {
      std::uint16_t bits = 0;
      cudaMemcpy(&bits, o.data() + 2 * element, sizeof(bits), cudaMemcpyDeviceToHost);
      return decode_fp16(bits);
    };
    const std::size_t head_elements = q_elements / static_cast<std::size_t>(p.heads);
    EXPECT_NEAR(value_at(0), 1.0586F, 2e-3F);
    EXPECT_NEAR(value_at(q_elements - head_elements - 1), 1.0586F, 2e-3F);
    EXPECT_NEAR(value_at(q_elements - head_elements), 2.125F, 4e-3F);
    EXPECT_NEAR(value_at(q_elements - 1), 2.125F, 4e-3F);
    float last_lse = 0;
    cudaMemcpy(&last_lse, lse.data() + lse.bytes() - sizeof(float), sizeof(float),
               cudaMemcpyDeviceToHost);
    const double logit = std::sqrt(p.head_dim) * 1.05859375 * 1.05859375;
    EXPECT_NEAR(last_lse, logit + std::log(p.seqlen_k), 1e-3);
  }
}

// The profiler replays the kernel without the launch around it.
TEST_P(HopperSchedule, TheTileCounterIsZeroAgainAfterEveryLaunch) {
  for (const int seqlen : {1, 300, 5000}) {
    const Launched run(problem(seqlen, seqlen, true));
    for (int repeat = 0; repeat < 3; ++repeat) {
      ASSERT_EQ(run.launch(), cudaSuccess);
      ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      EXPECT_EQ(run.counter(), 0U);
    }
  }
}

TEST_P(HopperSchedule, TenThousandLaunchesBackToBackGiveTheSameBits) {
  for (const bool causal : {false, true}) {
    const Launched run(problem(333, 500, causal));
    run.poison();
    ASSERT_EQ(run.launch(), cudaSuccess);
    const std::vector<std::uint16_t> first = run.output();
    run.poison();
    for (int i = 0; i < 10000; ++i) {
      ASSERT_EQ(run.launch(), cudaSuccess);
    }
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(run.output(), first);
  }
}

TEST_P(HopperSchedule, NeighboursOnOtherStreamsChangeNothing) {
  for (const bool causal : {false, true}) {
    std::vector<Launched> runs;
    std::vector<std::vector<std::uint16_t>> alone;
    for (const int seqlen : {200, 777, 1500}) {
      const Launched& run = runs.emplace_back(problem(seqlen, seqlen + 50, causal), 2);
      run.poison();
      ASSERT_EQ(run.launch(), cudaSuccess);
      alone.push_back(run.output());
      run.poison();
    }
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    const std::array<Stream, 3> streams;
    for (int i = 0; i < 300; ++i) {
      for (std::size_t s = 0; s < streams.size(); ++s) {
        ASSERT_EQ(runs[s].launch(streams[s].get()), cudaSuccess);
      }
    }
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    for (std::size_t s = 0; s < streams.size(); ++s) {
      EXPECT_EQ(runs[s].output(), alone[s]) << "stream " << s;
    }
  }
}

TEST_P(HopperSchedule, ACapturedGraphMayBeReplayed) {
  const Launched run(problem(900, 900, true));
  run.poison();
  ASSERT_EQ(run.launch(), cudaSuccess);
  const std::vector<std::uint16_t> expected = run.output();
  run.poison();
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  const Stream stream;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal), cudaSuccess);
  EXPECT_EQ(run.launch(stream.get()), cudaSuccess);
  ASSERT_EQ(cudaStreamEndCapture(stream.get(), &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(cudaGraphLaunch(executable, stream.get()), cudaSuccess);
  }
  EXPECT_EQ(cudaStreamSynchronize(stream.get()), cudaSuccess);
  EXPECT_EQ(run.output(), expected);
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
}

INSTANTIATE_TEST_SUITE_P(HeadDims, HopperSchedule, testing::Values(64, 128, 256));

}  // namespace
}  // namespace ridgepoint::kernels
