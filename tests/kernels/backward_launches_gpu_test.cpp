// Every backward variant launched in the ways programs launch: thousands of times back to back,
// beside other work, as a graph, on tensors of more than 2^31 elements.
#include <algorithm>
#include <vector>

#include "kernels/runtime/device_buffer.h"
#include "tests/kernels/gpu_backward_test.h"
#include "tests/kernels/gpu_streams.h"

namespace ridgepoint::kernels {
namespace {

class BackwardLaunches : public GpuBackward {
 protected:
  // A problem on the GPU and its right answer.
  struct Case {
    BackwardOnGpu run;
    GradientBasis basis;
    Gradients first;  // of one launch alone
  };
  Case make_case(const AttentionProblem& p) const {
    const AttentionData data = random_attention_data(p, 1);
    const std::vector<std::uint16_t> d_o = random_gradient(p);
    Case made{BackwardOnGpu(variant(), p, data, d_o), basis_of(p, data, d_o), {}};
    EXPECT_EQ(made.run.failure(), "");
    made.run.poison();
    EXPECT_EQ(made.run.launch(), cudaSuccess);
    made.first = made.run.gradients();
    return made;
  }
  // The last launch was right, and where that is promised the same bits as the first.
  void expect_right(const Case& c) const {
    const Gradients now = c.run.gradients();
    EXPECT_EQ(check_gradients(c.basis, now.dq, now.dk, now.dv).failure, "");
    EXPECT_EQ(c.run.damage(), "");
    if (variant().deterministic()) {
      EXPECT_EQ(now, c.first);
    }
  }
};

TEST_P(BackwardLaunches, TenThousandBackToBackStayRight) {
  AttentionProblem p = problem(300, 400, true);
  p.heads = p.kv_heads = 2;
  const Case c = make_case(p);
  for (int round = 0; round < 10; ++round) {
    c.run.poison();
    for (int i = 0; i < 1000; ++i) {
      ASSERT_EQ(c.run.launch(), cudaSuccess);
    }
    expect_right(c);
    ASSERT_FALSE(HasFailure()) << "round " << round;
  }
}

TEST_P(BackwardLaunches, BusyNeighboursOnOtherStreamsChangeNothing) {
  for (const bool causal : {false, true}) {
    AttentionProblem p = problem(500, 650, causal);
    p.heads = 4;
    p.kv_heads = 2;
    const Case c = make_case(p);
    const Case other = make_case(problem(900, 700, causal));
    const Stream stream;
    const Stream stream_of_other;
    const BusyNeighbours neighbours;
    for (int round = 0; round < 10; ++round) {
      c.run.poison();
      other.run.poison();
      ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      for (int i = 0; i < 10; ++i) {
        neighbours.work();
        ASSERT_EQ(c.run.launch(stream.get()), cudaSuccess);
        ASSERT_EQ(other.run.launch(stream_of_other.get()), cudaSuccess);
      }
      expect_right(c);
      expect_right(other);
      ASSERT_FALSE(HasFailure()) << "round " << round;
    }
  }
}

TEST_P(BackwardLaunches, ACapturedGraphMayBeReplayed) {
  for (const bool causal : {false, true}) {
    const Case c = make_case(problem(450, 450, causal));
    c.run.poison();
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    run_as_graph([&](cudaStream_t stream) { return c.run.launch(stream); }, 20);
    expect_right(c);
  }
}

RIDGEPOINT_FOR_ALL_BACKWARD(BackwardLaunches);

// More than 2^31 elements in Q, O, dO and dQ, then in K, V, dK and dV. The first and the last head
// hold the same random values, all others a constant. The element type does not change an address.
class BackwardBeyond32Bits : public GpuBackward {};

TEST_P(BackwardBeyond32Bits, TheLastHeadIsFoundAndWritten) {
  constexpr int many = 1 << 17;
  constexpr int few = 16;
  for (const auto& [rows, keys] : {std::pair{many, few}, {few, many}}) {
    AttentionProblem one = problem(rows, keys);
    one.batch = 1;
    AttentionProblem all = one;
    all.heads = all.kv_heads = (1 << 14) / one.head_dim + 1;
    ASSERT_GT(std::max(query_elements(all), key_elements(all)), std::int64_t{1} << 31);
    const std::size_t q_bytes = 2 * static_cast<std::size_t>(query_elements(all));
    const std::size_t k_bytes = 2 * static_cast<std::size_t>(key_elements(all));
    const std::size_t needed = 4 * (q_bytes + k_bytes) + variant().saved_bytes(all) +
                               variant().workspace_bytes(all) + (std::size_t{1} << 30);
    if (free_device_bytes() < needed) {
      GTEST_SKIP() << "needs " << (needed >> 30) << " GiB of device memory";
    }
    const AttentionData data = random_attention_data(one, 1);
    const std::vector<std::uint16_t> d_o_head = random_gradient(one);
    const DeviceBuffer q(q_bytes), o(q_bytes), d_o(q_bytes), dq(q_bytes);
    const DeviceBuffer k(k_bytes), v(k_bytes), dk(k_bytes), dv(k_bytes);
    const DeviceBuffer lse(sizeof(float) * static_cast<std::size_t>(row_count(all)));
    const DeviceBuffer saved(variant().saved_bytes(all));
    const DeviceBuffer workspace(variant().workspace_bytes(all));
    for (const DeviceBuffer* buffer :
         {&q, &o, &d_o, &dq, &k, &v, &dk, &dv, &lse, &saved, &workspace}) {
      ASSERT_EQ(buffer->error(), cudaSuccess);
    }
    for (const auto& [buffer, head] : {std::pair{&q, &data.q}, std::pair{&k, &data.k},
                                       std::pair{&v, &data.v}, std::pair{&d_o, &d_o_head}}) {
      cudaMemset(buffer->data(), 0x3C, buffer->bytes());
      const std::size_t head_bytes = head->size() * 2;
      for (std::byte* place : {buffer->data(), buffer->data() + buffer->bytes() - head_bytes}) {
        cudaMemcpy(place, head->data(), head_bytes, cudaMemcpyHostToDevice);
      }
    }
    for (const DeviceBuffer* written : {&o, &lse, &dq, &dk, &dv, &saved, &workspace}) {
      cudaMemset(written->data(), 0xFF, written->bytes());
    }
    auto* const lse_values = reinterpret_cast<float*>(lse.data());
    const AttentionGradients tensors{q.data(),   k.data(),     v.data(),        o.data(),
                                     lse_values, d_o.data(),   dq.data(),       dk.data(),
                                     dv.data(),  saved.data(), workspace.data()};
    ASSERT_EQ(find_attention_variant("fused")->launch(
                  all, {q.data(), k.data(), v.data(), o.data(), lse_values, nullptr}, nullptr),
              cudaSuccess);
    ASSERT_EQ(variant().save(all, tensors, nullptr), cudaSuccess);
    ASSERT_EQ(variant().launch(all, tensors, nullptr), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    const GradientBasis basis = basis_of(one, data, d_o_head);
    for (const bool last : {false, true}) {
      const auto head_of = [&](const DeviceBuffer& tensor, std::size_t elements) {
        std::vector<std::uint16_t> head(elements);
        cudaMemcpy(head.data(), tensor.data() + (last ? tensor.bytes() - 2 * elements : 0),
                   2 * elements, cudaMemcpyDeviceToHost);
        return head;
      };
      EXPECT_EQ(check_gradients(basis, head_of(dq, data.q.size()), head_of(dk, data.k.size()),
                                head_of(dv, data.k.size()))
                    .failure,
                "")
          << (last ? "last" : "first") << " head, " << describe(all);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, BackwardBeyond32Bits,
    testing::Combine(testing::Values("naive", "fused", "hopper", "hopper_deterministic"),
                     testing::Values(DataType::fp16), testing::Values(64, 128)),
    parameter_name);

}  // namespace
}  // namespace ridgepoint::kernels
