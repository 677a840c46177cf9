#include "analyzer/analysis/short_names.h"

#include <gmock/gmock.h>

#include "analyzer/core/text.h"

namespace ridgepoint {
namespace {

using ::testing::ElementsAre;

KernelAnalysis kernel_of(const char* name, const char* variant = "", const char* role = "") {
  KernelAnalysis kernel;
  kernel.name = name;
  kernel.variant = variant;
  kernel.role = role;
  return kernel;
}

std::vector<std::string> names_of(std::vector<KernelAnalysis> kernels) {
  assign_short_names(kernels);
  std::vector<std::string> names;
  for (const KernelAnalysis& kernel : kernels) {
    names.push_back(kernel.short_name);
  }
  return names;
}

TEST(ShortNames, AreShortWhateverTheNameIs) {
  const std::string endless = std::string(5000, 'a') + "_last";
  const auto names = names_of({kernel_of(endless.c_str()), kernel_of((endless + "2").c_str())});
  EXPECT_EQ(names[0].size(), 123U);
  EXPECT_EQ(names[0].substr(names[0].size() - 8), "aaa_last");
  EXPECT_NE(names[0], names[1]);
  std::string wide;
  for (int i = 0; i < 100; ++i) {
    wide += "\xE2\x88\x91";  // three bytes a character
  }
  const std::string shown = names_of({kernel_of(("x" + wide).c_str())})[0];
  EXPECT_EQ(printable(shown), shown) << "no character is cut in two";
}

TEST(ShortNames, AreTheBaseNamesWhereTheseDiffer) {
  EXPECT_THAT(names_of({kernel_of("void ns::gemm<float, 4>(float*)"), kernel_of("softmax(int)")}),
              ElementsAre("gemm", "softmax"));
}

// What all of them share tells nothing, and takes the room of what does.
TEST(ShortNames, ARoleThatTwinsShareIsLeftOut) {
  EXPECT_THAT(names_of({kernel_of("backward(float)", "hopper", "gradients"),
                        kernel_of("backward(float)", "deterministic", "gradients")}),
              ElementsAre("backward [hopper]", "backward [deterministic]"));
}

TEST(ShortNames, RolesThenVariantsThenNumbersTellTwinsApart) {
  EXPECT_THAT(
      names_of({kernel_of("gemm<1>()", "a", "scores"), kernel_of("gemm<2>()", "a", "output")}),
      ElementsAre("gemm (scores)", "gemm (output)"));
  EXPECT_THAT(names_of({kernel_of("gemm<1>()", "a"), kernel_of("gemm<1>()", "b")}),
              ElementsAre("gemm [a]", "gemm [b]"));
  EXPECT_THAT(names_of({kernel_of("gemm<1>()"), kernel_of("gemm<2>()"), kernel_of("gemm<3>()")}),
              ElementsAre("gemm", "gemm #2", "gemm #3"));
}

}  // namespace
}  // namespace ridgepoint
