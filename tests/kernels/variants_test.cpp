#include <gmock/gmock.h>

#include "kernels/attention/variant.h"

namespace ridgepoint::kernels {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

AttentionProblem problem(int seqlen = 1024, int head_dim = 64) {
  AttentionProblem p;
  p.heads = p.kv_heads = 8;
  p.seqlen_q = p.seqlen_k = seqlen;
  p.head_dim = head_dim;
  return p;
}

// One token against those so far.
AttentionProblem decode() {
  AttentionProblem p = problem(8192);
  p.seqlen_q = 1;
  return p;
}

std::vector<std::string> roles(const std::string& variant, const AttentionProblem& p) {
  std::vector<std::string> names;
  for (const KernelTile& tile : find_attention_variant(variant)->tiles(p)) {
    names.push_back(tile.role);
  }
  return names;
}

TEST(AttentionVariants, AreFoundByName) {
  ASSERT_EQ(attention_variants().size(), 4U);
  EXPECT_EQ(attention_variants()[0]->name(), "naive");
  EXPECT_EQ(attention_variants()[1]->name(), "fused");
  EXPECT_EQ(attention_variants()[2]->name(), "hopper");
  EXPECT_EQ(attention_variants()[3]->name(), "split_kv");
  EXPECT_EQ(find_attention_variant("fused"), attention_variants()[1]);
  EXPECT_EQ(find_attention_variant("none such"), nullptr);
}

TEST(AttentionVariants, SayWhyTheyCannotRunAProblem) {
  for (const AttentionVariant* variant : attention_variants()) {
    EXPECT_THAT(variant->unsupported_reason(problem(), 90), IsEmpty());
    EXPECT_THAT(variant->unsupported_reason(problem(), 75), HasSubstr("7.5"));
    EXPECT_THAT(variant->unsupported_reason(problem(1024, 96), 90), HasSubstr("96"));
    AttentionProblem p = problem();
    p.kv_heads = 3;
    EXPECT_THAT(variant->unsupported_reason(p, 90), HasSubstr("multiple"));
    p = problem(1 << 20);
    p.batch = 1 << 17;
    EXPECT_THAT(variant->unsupported_reason(p, 90), Not(IsEmpty()));
  }
}

// Without queries nothing is launched, so that only the check is left of a launch.
TEST(AttentionVariants, RefuseTensorsThatAreNotAlignedTo16Bytes) {
  alignas(16) static std::byte memory[64];
  const AttentionTensors aligned{memory, memory, memory, memory, nullptr, memory + 16};
  AttentionProblem p = problem();
  p.seqlen_q = 0;
  const auto moved_by = [&](int bytes) {
    std::vector<AttentionTensors> moved(6, aligned);
    moved[0].q = memory + bytes;
    moved[1].k = memory + bytes;
    moved[2].v = memory + bytes;
    moved[3].o = memory + bytes;
    moved[4].lse = reinterpret_cast<float*>(memory + bytes);
    moved[5].workspace = memory + bytes;
    return moved;
  };
  for (const AttentionVariant* variant : attention_variants()) {
    SCOPED_TRACE(variant->name());
    EXPECT_EQ(variant->launch(p, aligned, nullptr), cudaSuccess);
    for (const AttentionTensors& tensors : moved_by(16)) {
      EXPECT_EQ(variant->launch(p, tensors, nullptr), cudaSuccess);
    }
    for (const int bytes : {2, 4, 8, 15, 24}) {
      for (const AttentionTensors& tensors : moved_by(bytes)) {
        EXPECT_EQ(variant->launch(p, tensors, nullptr), cudaErrorMisalignedAddress) << bytes;
      }
    }
  }
}

TEST(AttentionVariants, AMisalignedTensorIsNamedWithWhatToDo) {
  alignas(16) static std::byte memory[32];
  EXPECT_THAT(misaligned_reason(AttentionTensors{memory, memory, memory, memory}), IsEmpty());
  EXPECT_THAT(misaligned_reason(AttentionTensors{memory, memory + 8, memory, memory}),
              AllOf(HasSubstr("K begins"), HasSubstr("16 bytes"), HasSubstr("pass a copy")));
}

TEST(AttentionVariants, ThePortableOnesRunFromComputeCapability80On) {
  EXPECT_THAT(find_attention_variant("fused")->unsupported_reason(problem(1024, 256), 80),
              IsEmpty());
  for (const char* name : {"naive", "fused", "split_kv"}) {
    EXPECT_THAT(find_attention_variant(name)->unsupported_reason(problem(), 80), IsEmpty());
    EXPECT_THAT(find_attention_variant(name)->unsupported_reason(problem(), 120), IsEmpty());
  }
}

TEST(AttentionVariants, AHeadDimensionThatIsNotBuiltIsAnsweredWithThoseThatAre) {
  EXPECT_EQ(find_attention_variant("fused")->unsupported_reason(problem(1024, 96), 80),
            "built for head_dim 64, 128 and 256, not 96");
  EXPECT_EQ(find_attention_variant("naive")->unsupported_reason(problem(1024, 256), 80),
            "built for head_dim 64 and 128, not 256");
}

// WGMMA exists in sm_90a and nowhere else, before or after.
TEST(AttentionVariants, TheHopperOneRunsOnHopperOnly) {
  const AttentionVariant& hopper = *find_attention_variant("hopper");
  for (const int head_dim : {64, 128, 256}) {
    EXPECT_THAT(hopper.unsupported_reason(problem(1024, head_dim), 90), IsEmpty());
  }
  EXPECT_THAT(hopper.unsupported_reason(problem(), 80), HasSubstr("8.0"));
  EXPECT_THAT(hopper.unsupported_reason(problem(), 100), HasSubstr("10.0"));
}

TEST(AttentionVariants, OnlyTheNaiveOneNeedsRoomForSAndP) {
  EXPECT_EQ(find_attention_variant("fused")->workspace_bytes(problem()), 0U);
  EXPECT_EQ(find_attention_variant("hopper")->workspace_bytes(problem()), 0U);
  AttentionProblem causal = problem();
  causal.causal = true;
  EXPECT_EQ(find_attention_variant("hopper")->workspace_bytes(causal), sizeof(std::uint32_t));
  // One head at N = 16384 has a 512 MiB S, and eight heads 4 GiB; P is as large.
  EXPECT_EQ(find_attention_variant("naive")->workspace_bytes(problem(16384)),
            2 * (std::size_t{4} << 30));
}

TEST(AttentionVariants, SplitKvIsComparedByDefaultWhereTheQueriesCannotFillTheGpu) {
  const AttentionVariant& split = *find_attention_variant("split_kv");
  EXPECT_TRUE(split.by_default(decode()));
  EXPECT_FALSE(split.by_default(problem(16384)));
  AttentionProblem many = decode();
  many.batch = 64;  // 512 tiles
  EXPECT_FALSE(split.by_default(many));
  EXPECT_TRUE(find_attention_variant("fused")->by_default(decode()));
}

TEST(AttentionVariants, SplitKvKeepsEveryPartsRowsInFp32AndTheirSums) {
  const AttentionVariant& split = *find_attention_variant("split_kv");
  const std::size_t row = 64 * 4 + 8;
  const std::size_t bytes = split.workspace_bytes(decode());
  EXPECT_GE(bytes, 2 * 8 * row);
  EXPECT_EQ(bytes % (8 * row), 0U);
  EXPECT_EQ(split.workspace_bytes(problem(16384)), 0U) << "one part needs none";
}

TEST(AttentionVariants, ListTheirKernelsInLaunchOrder) {
  EXPECT_EQ(roles("naive", problem()), (std::vector<std::string>{"scores", "softmax", "output"}));
  EXPECT_EQ(roles("fused", problem()), (std::vector<std::string>{"attention"}));
  EXPECT_EQ(roles("hopper", problem()), (std::vector<std::string>{"attention"}));
  EXPECT_EQ(roles("split_kv", decode()), (std::vector<std::string>{"split_attention", "combine"}));
  EXPECT_EQ(roles("split_kv", problem(16384)), (std::vector<std::string>{"split_attention"}));
  EXPECT_EQ(roles("naive", problem(0)), (std::vector<std::string>{"softmax", "output"}));
}

// H100 and H200: 227 KB a block. A100: 163 KB; 8.6 and 8.9: 99 KB, where the portable kernels must
// start too.
TEST(AttentionVariants, TilesFitTheSmallestSharedMemorySupported) {
  for (const AttentionVariant* variant : attention_variants()) {
    const std::size_t limit = (variant->name() == "hopper" ? 227U : 99U) * 1024;
    for (const int head_dim : {64, 128, 256}) {
      if (!variant->unsupported_reason(problem(1024, head_dim), 90).empty()) {
        continue;
      }
      for (const int seqlen : {1024, 16384, 40000, 100000}) {
        for (const KernelTile& tile : variant->tiles(problem(seqlen, head_dim))) {
          EXPECT_LT(tile.smem_bytes, limit) << variant->name() << " " << tile.role;
          EXPECT_GT(tile.threads, 0);
        }
      }
    }
  }
}

}  // namespace
}  // namespace ridgepoint::kernels
