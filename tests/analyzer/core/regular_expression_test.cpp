#include "analyzer/core/regular_expression.h"

#include <gtest/gtest.h>

namespace ridgepoint {
namespace {

bool finds(const std::string& pattern, const std::string& text) {
  const auto compiled = RegularExpression::compile(pattern, "--kernel");
  EXPECT_TRUE(compiled) << pattern;
  return compiled && compiled->found_in(text);
}

TEST(RegularExpression, IsSearchedAnywhere) {
  EXPECT_TRUE(finds("gemm", "void my_gemm_kernel<float>()"));
  EXPECT_TRUE(finds("flash|gemm", "flash_fwd"));
  EXPECT_FALSE(finds("^gemm$", "my_gemm"));
}

TEST(RegularExpression, TheMarkOfNsightComputeIsLeftOut) {
  EXPECT_TRUE(finds("regex:gemm", "my_gemm"));
  EXPECT_TRUE(finds("regex:^gemm$", "gemm"));
  EXPECT_FALSE(finds("regex:gemm", "softmax"));
  EXPECT_TRUE(finds("a.*regex:", "a regex: within")) << "it is a mark at the beginning alone";
}

TEST(RegularExpression, WhatIsNoneIsNamedAsItWasTyped) {
  const auto compiled = RegularExpression::compile("regex:gemm(", "--kernel");
  ASSERT_FALSE(compiled);
  EXPECT_EQ(compiled.error().what, "--kernel regex:gemm(");
}

}  // namespace
}  // namespace ridgepoint
