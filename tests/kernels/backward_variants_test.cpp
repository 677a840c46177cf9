// What the backward variants say of themselves, without a GPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "kernels/attention/backward_variant.h"
#include "kernels/attention/hopper_backward/plan.h"

namespace ridgepoint::kernels {
namespace {

AttentionProblem problem(int seqlen, int head_dim = 128) {
  AttentionProblem p;
  p.batch = 4;
  p.heads = p.kv_heads = 16;
  p.seqlen_q = p.seqlen_k = seqlen;
  p.head_dim = head_dim;
  return p;
}

std::size_t extra_bytes(const std::string& name, int seqlen) {
  const AttentionBackwardVariant* const variant = find_attention_backward_variant(name);
  return variant->saved_bytes(problem(seqlen)) + variant->workspace_bytes(problem(seqlen));
}

TEST(BackwardVariants, AreFoundByTheirNames) {
  std::set<std::string> names;
  for (const AttentionBackwardVariant* variant : attention_backward_variants()) {
    EXPECT_EQ(find_attention_backward_variant(variant->name()), variant);
    names.insert(variant->name());
  }
  EXPECT_THAT(names, testing::ElementsAre("fused", "hopper", "hopper_deterministic", "naive"));
  EXPECT_EQ(find_attention_backward_variant("none"), nullptr);
}

TEST(BackwardVariants, OnlyTheNaiveOneNeedsMemoryThatGrowsWithTheSquareOfTheLength) {
  for (const char* name : {"fused", "hopper", "hopper_deterministic"}) {
    EXPECT_EQ(find_attention_backward_variant(name)->saved_bytes(problem(4096)), 0U);
    EXPECT_EQ(extra_bytes(name, 8192), 2 * extra_bytes(name, 4096)) << name;
  }
  EXPECT_EQ(extra_bytes("naive", 8192), 4 * extra_bytes("naive", 4096));
  // P, dP and dS, 2 bytes each.
  EXPECT_EQ(extra_bytes("naive", 4096), std::size_t{3} * 2 * 64 * 4096 * 4096);
}

TEST(BackwardVariants, ComputingPAgainCostsOneProductMore) {
  EXPECT_EQ(find_attention_backward_variant("naive")->products(), 4);
  EXPECT_EQ(find_attention_backward_variant("fused")->products(), 5);
  EXPECT_EQ(find_attention_backward_variant("hopper")->products(), 5);
}

TEST(BackwardVariants, SayWhyTheyCannotRun) {
  const AttentionBackwardVariant& hopper = *find_attention_backward_variant("hopper");
  EXPECT_EQ(hopper.unsupported_reason(problem(100), 90), "");
  EXPECT_THAT(hopper.unsupported_reason(problem(100), 80), testing::HasSubstr("9.0"));
  EXPECT_THAT(hopper.unsupported_reason(problem(100, 96), 90), testing::HasSubstr("head_dim"));
  const AttentionBackwardVariant& fused = *find_attention_backward_variant("fused");
  EXPECT_EQ(fused.unsupported_reason(problem(100), 80), "");
  EXPECT_THAT(fused.unsupported_reason(problem(100), 75), testing::HasSubstr("8.0"));
}

// Of the first tensor that is not: the GPU is not asked.
TEST(BackwardVariants, RefuseTensorsThatAreNotAlignedTo16Bytes) {
  alignas(16) static std::byte memory[64];
  AttentionGradients aligned;
  aligned.q = aligned.k = aligned.v = aligned.o = aligned.d_o = memory;
  aligned.dq = aligned.dk = aligned.dv = aligned.saved = aligned.workspace = memory;
  EXPECT_EQ(misaligned_reason(aligned), "");
  std::vector<AttentionGradients> moved(11, aligned);
  moved[0].q = memory + 8;
  moved[1].k = memory + 8;
  moved[2].v = memory + 8;
  moved[3].o = memory + 8;
  moved[4].lse = reinterpret_cast<const float*>(memory + 8);
  moved[5].d_o = memory + 8;
  moved[6].dq = memory + 8;
  moved[7].dk = memory + 8;
  moved[8].dv = memory + 8;
  moved[9].saved = memory + 8;
  moved[10].workspace = memory + 8;
  for (const AttentionGradients& tensors : moved) {
    EXPECT_THAT(misaligned_reason(tensors), testing::HasSubstr("multiple of 16 bytes"));
    for (const AttentionBackwardVariant* variant : attention_backward_variants()) {
      EXPECT_EQ(variant->save(problem(100), tensors, nullptr), cudaErrorMisalignedAddress);
      EXPECT_EQ(variant->launch(problem(100), tensors, nullptr), cudaErrorMisalignedAddress);
    }
  }
}

constexpr int multiprocessors = 132;

TEST(HopperBackwardPlan, SectionsOfFewWavesAreLongEnoughToEndTogether) {
  for (const int heads : {1, 3, 8, 16, 64, 1000}) {
    for (const int key_blocks : {1, 8, 64, 128, 1024}) {
      if (heads * key_blocks >= 8 * multiprocessors) {
        continue;
      }
      AttentionProblem p = problem(128 * key_blocks);
      p.batch = 1;
      p.heads = p.kv_heads = heads;
      const int section = hopper_backward::section_kv_heads(p, key_blocks, multiprocessors, false);
      ASSERT_GE(section, 1);
      ASSERT_LE(section, heads);
      // All heads together, or enough thread blocks in every section, the last one included.
      const int last = (heads - 1) % section + 1;
      const bool enough = section * key_blocks >= 2 * multiprocessors;
      EXPECT_TRUE(section == heads || enough) << heads << " heads, " << key_blocks << " blocks";
      EXPECT_TRUE(section == heads || 2 * last * key_blocks >= multiprocessors)
          << heads << " heads, " << key_blocks << " blocks";
    }
  }
}

TEST(HopperBackwardPlan, FewKeyHeadsOfAGroupMakeOneSectionUnlessAdditionsHaveAnOrder) {
  AttentionProblem p = problem(8192);
  p.batch = 1;
  p.heads = 64;
  p.kv_heads = 8;
  EXPECT_EQ(hopper_backward::section_kv_heads(p, 64, multiprocessors, false), 8);
  EXPECT_EQ(hopper_backward::section_kv_heads(p, 64, multiprocessors, true), 1)
      << "Q, dO and dQ of one group alone are 67 MB";
}

TEST(HopperBackwardPlan, SectionsOfManyWavesHoldWhatFitsTheCache) {
  const AttentionProblem p = problem(4096);  // 64 heads of 4.2 MB
  EXPECT_EQ(hopper_backward::section_kv_heads(p, 32, multiprocessors, false), 8);
}

}  // namespace
}  // namespace ridgepoint::kernels
