// Kernels whose schedule follows the number of multiprocessors, on a GPU that seems to have another
// number: persistent thread blocks with more or fewer tiles each, another number of parts of the
// keys, other sections of heads. The linker hands every question for the number of multiprocessors
// to this file (--wrap, CMakeLists.txt), so that kernels are launched as for that GPU.
#include <optional>
#include <vector>

#include "tests/kernels/gpu_attention_test.h"
#include "tests/kernels/gpu_backward_test.h"

namespace {
int pretended_multiprocessors = 0;  // 0: the true number
}

extern "C" cudaError_t __real_cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute,
                                                     int device);
extern "C" cudaError_t __wrap_cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute,
                                                     int device) {
  if (attribute == cudaDevAttrMultiProcessorCount && pretended_multiprocessors > 0) {
    *value = pretended_multiprocessors;
    return cudaSuccess;
  }
  return __real_cudaDeviceGetAttribute(value, attribute, device);
}

namespace ridgepoint::kernels {
namespace {

// From here to the end of its life every device has `count` multiprocessors.
class Pretence {
 public:
  explicit Pretence(int count) { pretended_multiprocessors = count; }
  ~Pretence() { pretended_multiprocessors = 0; }
  Pretence(const Pretence&) = delete;
  Pretence& operator=(const Pretence&) = delete;
};

// One; few; an H20's; an H100 PCIe's; more than any Hopper GPU has, so that not all persistent
// blocks can be there at once.
constexpr int counts[] = {1, 7, 78, 114, 180};

class ForwardOnOtherGpus : public GpuAttention {};

TEST_P(ForwardOnOtherGpus, AttentionIsRightWithAnyNumberOfMultiprocessors) {
  std::vector<AttentionProblem> problems = and_wide_tiles({problem(1, 3000)});
  for (const bool causal : {false, true}) {
    AttentionProblem p = problem(700, 500, causal);  // 240 tiles of 128 rows, 160 of 192
    p.batch = 10;
    p.heads = 4;
    p.kv_heads = 2;
    problems.push_back(p);
  }
  for (const AttentionProblem& p : problems) {
    SCOPED_TRACE(describe(p));
    const AttentionData data = random_attention_data(p, 1);
    const AccuracyBasis basis = make_accuracy_basis(p, data, sample_rows(p, 400, 1), yardstick());
    for (const int count : counts) {
      const Pretence pretence(count);
      const GpuRun run = run_on_gpu(variant(), p, data, 2);
      ASSERT_EQ(run.failure, "") << count << " multiprocessors";
      EXPECT_EQ(check_accuracy(basis, run.o, run.lse).failure, "") << count << " multiprocessors";
      EXPECT_TRUE(run.repeats_equal) << count << " multiprocessors";
    }
  }
}

TEST_P(ForwardOnOtherGpus, ThePretenceReachesThePlan) {
  if (variant().name() != "split_kv") {
    GTEST_SKIP() << "only split_kv tells by its workspace how many multiprocessors it counts on";
  }
  const Pretence pretence(1);
  EXPECT_EQ(variant().workspace_bytes(problem(1, 3000)), 0U) << "one multiprocessor, one part";
}

INSTANTIATE_TEST_SUITE_P(Portable, ForwardOnOtherGpus,
                         testing::Combine(testing::Values("split_kv"),
                                          testing::Values(DataType::fp16, DataType::bf16),
                                          testing::Values(64, 128)),
                         parameter_name);
INSTANTIATE_TEST_SUITE_P(Hopper, ForwardOnOtherGpus,
                         testing::Combine(testing::Values("hopper"),
                                          testing::Values(DataType::fp16, DataType::bf16),
                                          testing::Values(64, 128, 256)),
                         parameter_name);

class BackwardOnOtherGpus : public GpuBackward {};

// A fixed order of additions is that of the keys, whatever the GPU.
TEST_P(BackwardOnOtherGpus, GradientsAreRightWithAnyNumberOfMultiprocessors) {
  for (const bool causal : {false, true}) {
    AttentionProblem p = problem(520, 700, causal);  // 144 blocks of 128 keys
    p.batch = 6;
    p.heads = 8;
    p.kv_heads = 4;
    SCOPED_TRACE(describe(p));
    const AttentionData data = random_attention_data(p, 1);
    const std::vector<std::uint16_t> d_o = random_gradient(p);
    const GradientBasis basis = basis_of(p, data, d_o);
    std::optional<Gradients> first;
    for (const int count : counts) {
      const Pretence pretence(count);
      const BackwardRun run = run_backward_on_gpu(variant(), p, data, d_o);
      ASSERT_EQ(run.failure, "") << count << " multiprocessors";
      EXPECT_EQ(check_gradients(basis, run.dq, run.dk, run.dv).failure, "")
          << count << " multiprocessors";
      if (!first) {
        first = run;
      } else if (variant().deterministic()) {
        EXPECT_TRUE(*first == static_cast<const Gradients&>(run)) << count << " multiprocessors";
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Hopper, BackwardOnOtherGpus,
                         testing::Combine(testing::Values("hopper", "hopper_deterministic"),
                                          testing::Values(DataType::fp16, DataType::bf16),
                                          testing::Values(64, 128)),
                         parameter_name);

}  // namespace
}  // namespace ridgepoint::kernels
