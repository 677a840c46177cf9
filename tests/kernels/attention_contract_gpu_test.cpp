// What variant.h promises of `launch` besides the numbers.
#include "tests/kernels/gpu_attention_test.h"

namespace ridgepoint::kernels {
namespace {

class AttentionContract : public GpuAttention {};

TEST_P(AttentionContract, RepeatsGiveTheSameBits) {
  for (const AttentionProblem& p :
       and_wide_tiles({problem(700, 801, false), problem(700, 801, true)})) {
    SCOPED_TRACE(describe(p));
    const GpuRun run = run_on_gpu(variant(), p, random_attention_data(p, 1), 50);
    EXPECT_EQ(run.failure, "");
    EXPECT_TRUE(run.repeats_equal);
  }
}

TEST_P(AttentionContract, TheLseIsOptional) {
  const AttentionProblem p = problem(200, 130, true);
  const AttentionData data = random_attention_data(p, 1);
  const GpuRun with = run_on_gpu(variant(), p, data);
  const GpuRun without = run_on_gpu(variant(), p, data, 1, false);
  ASSERT_EQ(with.failure, "");
  ASSERT_EQ(without.failure, "");
  EXPECT_EQ(with.o, without.o);
}

// Small enough for compute-sanitizer, with tails, GQA and masked tiles.
TEST_P(AttentionContract, SmallProblemsTouchOnlyTheirOwnMemory) {
  AttentionProblem small = problem(150, 209);
  small.batch = 1;
  small.heads = 4;
  AttentionProblem causal = small;
  causal.causal = true;
  for (const AttentionProblem& p : and_wide_tiles({small, causal})) {
    expect_accurate(p, random_attention_data(p, 1));
  }
}

RIDGEPOINT_FOR_ALL_ATTENTION(AttentionContract);

}  // namespace
}  // namespace ridgepoint::kernels
