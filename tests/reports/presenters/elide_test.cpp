#include "reports/presenters/elide.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace ridgepoint {
namespace {

using testing::ElementsAre;

TEST(Elide, CountsCharactersAndNotBytes) {
  EXPECT_EQ(elide("µµµµ", 4), "µµµµ");
  EXPECT_EQ(elide("µµµµµ", 4), "µµµ…");
}

TEST(ElideApart, CutsLongNamesInTheMiddle) {
  EXPECT_THAT(elide_apart({"flash_fwd_kernel", "flash_bwd_dq_dk_dv_loop_seqk_parallel"}, 21),
              ElementsAre("flash_fwd_kernel", "flash_bwd_…k_parallel"));
}

TEST(ElideApart, KernelsThatDifferInTheMiddleDoNotLookTheSame) {
  const std::vector<std::string> names = {
      "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_kernel",
      "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize256x128x64_warpgroupsize1x1x1_kernel",
      "sm90_xmma_gemm_bf16bf16_bf16f32_f32_nn_n_tilesize128x128x64_warpgroupsize1x1x1_kernel"};
  EXPECT_THAT(elide_apart(names, 32),
              ElementsAre("sm90_xmma_…ze128x128x64_warpgro…", "sm90_xmma_…ze256x128x64_warpgro…",
                          "sm90_xmm…2_nn_n_tilesiz…1_kernel"));
}

TEST(ElideApart, KernelsOfVariantsDifferInTwoPlaces) {
  EXPECT_THAT(
      elide_apart({"hopper_attention_backward [hopper]", "hopper_gradient_conversion [hopper]",
                   "hopper_attention_backward [hopper_deterministic]",
                   "hopper_gradient_conversion [hopper_deterministic]"},
                  14),
      ElementsAre("hop…r_atte…er]", "hop…r_grad…er]", "hop…r_atte…ic]", "hop…r_grad…ic]"));
}

TEST(ElideApart, GivesOneNameOneLookAndTheBeginningOfAnotherItsOwn) {
  const std::string name = "a_kernel_with_a_rather_long_name";
  const std::vector<std::string> shown = elide_apart({name, name + "_2", name}, 16);
  EXPECT_EQ(shown[0], shown[2]);
  EXPECT_NE(shown[0], shown[1]);
}

RC_GTEST_PROP(ElideApart, NoTwoNamesLookTheSameAndNoneIsWiderThanAsked, ()) {
  // Few letters and long runs of them: names that share beginnings, middles and ends.
  const auto name =
      rc::gen::map(rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 4)),
                   [](const std::vector<int>& runs) {
                     std::string text;
                     for (const int run : runs) {
                       text += std::string(run * 9, 'k') + (run == 0 ? "é" : run == 2 ? "è" : "b");
                     }
                     return text;
                   });
  const auto names = *rc::gen::container<std::vector<std::string>>(name);
  const std::size_t width = *rc::gen::inRange<std::size_t>(12, 40);
  const std::vector<std::string> shown = elide_apart(names, width);
  RC_ASSERT(shown.size() == names.size());
  for (const std::string& text : shown) {
    RC_ASSERT(display_width(text) <= width);
  }
  RC_ASSERT(std::set<std::string>(names.begin(), names.end()).size() ==
            std::set<std::string>(shown.begin(), shown.end()).size());
}

}  // namespace
}  // namespace ridgepoint
