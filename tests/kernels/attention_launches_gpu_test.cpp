// Every forward variant launched in the ways programs launch: thousands of times back to back,
// beside other work, as a graph, on tensors of more than 2^31 elements.
#include <algorithm>
#include <vector>

#include "tests/kernels/device_vectors.h"
#include "tests/kernels/gpu_attention_test.h"
#include "tests/kernels/gpu_streams.h"

namespace ridgepoint::kernels {
namespace {

// One problem's tensors on the device.
class Launched {
 public:
  Launched(const AttentionVariant& variant, const AttentionProblem& p, std::uint64_t seed)
      : variant_(&variant),
        problem_(p),
        q_elements_(static_cast<std::size_t>(query_elements(p))),
        workspace_(variant.workspace_bytes(p)) {
    const AttentionData data = random_attention_data(p, seed);
    q_ = upload(data.q);
    k_ = upload(data.k);
    v_ = upload(data.v);
    o_ = DeviceBuffer(data.q.size() * 2);
    lse_ = DeviceBuffer(static_cast<std::size_t>(row_count(p)) * sizeof(float));
  }
  cudaError_t launch(cudaStream_t stream = nullptr) const {
    return variant_->launch(problem_,
                            {q_.data(), k_.data(), v_.data(), o_.data(),
                             reinterpret_cast<float*>(lse_.data()), workspace_.data()},
                            stream);
  }
  void poison() const {
    cudaMemset(o_.data(), 0xFF, o_.bytes());
    cudaMemset(lse_.data(), 0xFF, lse_.bytes());
    cudaDeviceSynchronize();
  }
  std::vector<std::uint16_t> output() const {
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    std::vector<std::uint16_t> host(q_elements_);
    cudaMemcpy(host.data(), o_.data(), o_.bytes(), cudaMemcpyDeviceToHost);
    return host;
  }
  // That of one launch alone.
  std::vector<std::uint16_t> expected() const {
    poison();
    EXPECT_EQ(launch(), cudaSuccess);
    return output();
  }

 private:
  const AttentionVariant* variant_;
  AttentionProblem problem_;
  std::size_t q_elements_;
  DeviceBuffer q_, k_, v_, o_, lse_, workspace_;
};

class AttentionLaunches : public GpuAttention {};

TEST_P(AttentionLaunches, TenThousandBackToBackGiveTheSameBits) {
  for (const AttentionProblem& p :
       and_wide_tiles({problem(333, 500, false), problem(333, 500, true)})) {
    SCOPED_TRACE(describe(p));
    const Launched run(variant(), p, 1);
    const std::vector<std::uint16_t> expected = run.expected();
    run.poison();
    for (int i = 0; i < 10000; ++i) {
      ASSERT_EQ(run.launch(), cudaSuccess);
    }
    EXPECT_EQ(run.output(), expected);
  }
}

TEST_P(AttentionLaunches, BusyNeighboursOnOtherStreamsChangeNothing) {
  for (const AttentionProblem& p :
       and_wide_tiles({problem(777, 827, false), problem(777, 827, true)})) {
    SCOPED_TRACE(describe(p));
    const Launched run(variant(), p, 2);
    const Launched other(variant(), problem(1500, 1400, p.causal), 3);
    const std::vector<std::uint16_t> expected = run.expected();
    const std::vector<std::uint16_t> expected_of_other = other.expected();
    const Stream stream;
    const Stream stream_of_other;
    const BusyNeighbours neighbours;
    for (int round = 0; round < 20; ++round) {
      run.poison();
      other.poison();
      for (int i = 0; i < 5; ++i) {
        neighbours.work();
        ASSERT_EQ(run.launch(stream.get()), cudaSuccess);
        ASSERT_EQ(other.launch(stream_of_other.get()), cudaSuccess);
      }
      ASSERT_EQ(run.output(), expected) << "round " << round;
      ASSERT_EQ(other.output(), expected_of_other) << "round " << round;
    }
  }
}

TEST_P(AttentionLaunches, ACapturedGraphMayBeReplayed) {
  for (const AttentionProblem& p : and_wide_tiles({problem(900, 900, true)})) {
    SCOPED_TRACE(describe(p));
    const Launched run(variant(), p, 1);
    const std::vector<std::uint16_t> expected = run.expected();
    run.poison();
    run_as_graph([&](cudaStream_t stream) { return run.launch(stream); }, 20);
    EXPECT_EQ(run.output(), expected);
  }
}

RIDGEPOINT_FOR_ALL_ATTENTION(AttentionLaunches);

// More than 2^31 elements in Q and O, then in K and V. The first and the last head hold the same
// random values, all others a constant: only right addresses find the last and leave its result
// there. The element type does not change an address.
class AttentionBeyond32Bits : public GpuAttention {};

TEST_P(AttentionBeyond32Bits, TheLastHeadIsFoundAndWritten) {
  constexpr int many = 1 << 17;
  constexpr int few = 16;
  if (free_device_bytes() < std::size_t{24} << 30) {
    GTEST_SKIP() << "needs 24 GiB of device memory";
  }
  for (const auto& [rows, keys] : {std::pair{many, few}, {few, many}}) {
    AttentionProblem one = problem(rows, keys);
    one.batch = one.heads = one.kv_heads = 1;
    AttentionProblem all = one;
    all.heads = all.kv_heads = (1 << 14) / one.head_dim + 1;
    ASSERT_GT(std::max(query_elements(all), key_elements(all)), std::int64_t{1} << 31);
    const AttentionData data = random_attention_data(one, 1);
    const auto bytes = [](std::int64_t elements) { return 2 * static_cast<std::size_t>(elements); };
    const DeviceBuffer q(bytes(query_elements(all)));
    const DeviceBuffer k(bytes(key_elements(all)));
    const DeviceBuffer v(bytes(key_elements(all)));
    const DeviceBuffer o(bytes(query_elements(all)));
    const DeviceBuffer lse(sizeof(float) * static_cast<std::size_t>(row_count(all)));
    const DeviceBuffer workspace(variant().workspace_bytes(all));
    for (const DeviceBuffer* buffer : {&q, &k, &v, &o, &lse, &workspace}) {
      ASSERT_EQ(buffer->error(), cudaSuccess);
    }
    for (const auto& [buffer, head] :
         {std::pair{&q, &data.q}, std::pair{&k, &data.k}, std::pair{&v, &data.v}}) {
      cudaMemset(buffer->data(), 0x3C, buffer->bytes());
      const std::size_t head_bytes = head->size() * 2;
      for (std::byte* place : {buffer->data(), buffer->data() + buffer->bytes() - head_bytes}) {
        cudaMemcpy(place, head->data(), head_bytes, cudaMemcpyHostToDevice);
      }
    }
    cudaMemset(o.data(), 0xFF, o.bytes());
    cudaMemset(lse.data(), 0xFF, lse.bytes());
    ASSERT_EQ(variant().launch(all,
                               {q.data(), k.data(), v.data(), o.data(),
                                reinterpret_cast<float*>(lse.data()), workspace.data()},
                               nullptr),
              cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    const AccuracyBasis basis =
        make_accuracy_basis(one, data, sample_rows(one, 64, 1), yardstick());
    std::vector<std::uint16_t> o_head(data.q.size());
    std::vector<float> lse_head(static_cast<std::size_t>(row_count(one)));
    const std::size_t o_bytes = o_head.size() * 2;
    const std::size_t lse_bytes = lse_head.size() * sizeof(float);
    for (const bool last : {false, true}) {
      cudaMemcpy(o_head.data(), o.data() + (last ? o.bytes() - o_bytes : 0), o_bytes,
                 cudaMemcpyDeviceToHost);
      cudaMemcpy(lse_head.data(), lse.data() + (last ? lse.bytes() - lse_bytes : 0), lse_bytes,
                 cudaMemcpyDeviceToHost);
      EXPECT_EQ(check_accuracy(basis, o_head, lse_head).failure, "")
          << (last ? "last" : "first") << " head, " << describe(all);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, AttentionBeyond32Bits,
                         testing::Combine(testing::Values("naive", "fused", "hopper", "split_kv"),
                                          testing::Values(DataType::fp16),
                                          testing::Values(64, 128)),
                         parameter_name);
INSTANTIATE_TEST_SUITE_P(Wide, AttentionBeyond32Bits,
                         testing::Combine(testing::Values("fused", "hopper"),
                                          testing::Values(DataType::fp16), testing::Values(256)),
                         parameter_name);

}  // namespace
}  // namespace ridgepoint::kernels
