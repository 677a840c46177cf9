// The Hopper variant as a persistent kernel: tile edges, stages used again, the tile counter.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/attention/accuracy.h"
#include "kernels/attention/hopper/variant.h"
#include "kernels/runtime/device_buffer.h"
#include "kernels/runtime/processors.h"
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
  static void expect_accurate(const AttentionProblem& p, std::uint64_t seed, int sampled_rows) {
    SCOPED_TRACE(std::to_string(p.seqlen_q) + " x " + std::to_string(p.seqlen_k) +
                 (p.causal ? " causal" : ""));
    const AttentionData data = random_attention_data(p, seed);
    const GpuRun run = run_on_gpu(hopper::variant(), p, data);
    ASSERT_EQ(run.failure, "");
    const AccuracyResult result =
        check_accuracy(make_accuracy_basis(p, data, sample_rows(p, sampled_rows, 1),
                                           Arithmetic::rounded_probabilities),
                       run.o, run.lse);
    EXPECT_EQ(result.failure, "");
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

TEST_P(HopperSchedule, LengthsAroundTheEdgesOfATile) {
  const KernelTile tile = hopper::variant().tiles(problem(1, 1, false)).front();
  for (const int q_off : {-1, 0, 1}) {
    for (const int k_off : {-1, 0, 1}) {
      for (const int warpgroup_rows : {64, tile.block_m, 2 * tile.block_m}) {
        for (const bool causal : {false, true}) {
          expect_accurate(problem(warpgroup_rows + q_off, 2 * tile.block_n + k_off, causal), 1, 96);
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
    expect_accurate(p, 3, 300);
  }
}

// The last tile of a head leaves warpgroups without a row, and with a causal mask the first rows of
// a tile see fewer key tiles than the last: whoever has nothing to do must neither hold up the
// others nor fall out of step over the tiles that follow.
TEST_P(HopperSchedule, TilesThatSomeWarpgroupsPassBy) {
  const KernelTile tile = hopper::variant().tiles(problem(1, 1, false)).front();
  for (const bool causal : {false, true}) {
    for (const int tiles : {2, 3, 4, 7}) {
      AttentionProblem p = problem((tiles - 1) * tile.block_m + 10, 5 * tile.block_n, causal);
      p.batch = 70;
      expect_accurate(p, 4, 300);
    }
  }
}

// Tiles of 256 rows, at head dimension 64: four consumers that take no turns, so that one may be
// most of the ring ahead of another; any number of them without a row in the last tile.
TEST_P(HopperSchedule, ShortSequencesInWideTiles) {
  for (const DataType type : {DataType::fp16, DataType::bf16}) {
    for (const int seqlen_q : {193, 250, 450, 970}) {
      for (const int seqlen_k : {60, 170, 600}) {
        AttentionProblem p = problem(seqlen_q, seqlen_k, false);
        p.dtype = type;
        p.heads = 2;
        p.kv_heads = 1;
        p.batch = static_cast<int>(processors());  // whole rounds of the grid
        ASSERT_TRUE(p.head_dim != 64 || hopper::variant().tiles(p).front().block_m == 256);
        expect_accurate(p, 5, 300);
      }
    }
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

INSTANTIATE_TEST_SUITE_P(HeadDims, HopperSchedule, testing::Values(64, 128, 256));

}  // namespace
}  // namespace ridgepoint::kernels
