#include "analyzer/gate/glob.h"

#include <gtest/gtest.h>

#include <string>

namespace ridgepoint {
namespace {

TEST(Glob, MatchesTheWholeText) {
  EXPECT_TRUE(glob_match("fused", "fused"));
  EXPECT_FALSE(glob_match("fused", "fused_v2"));
  EXPECT_FALSE(glob_match("", "fused"));
  EXPECT_TRUE(glob_match("", ""));
}

TEST(Glob, TakesStarsAndQuestionMarks) {
  EXPECT_TRUE(glob_match("*", ""));
  EXPECT_TRUE(glob_match("*attention*", "void ns::fused_attention<half>(Args)"));
  EXPECT_TRUE(glob_match("naive_?cores", "naive_scores"));
  EXPECT_TRUE(glob_match("a*b*c", "a..b..b..c"));
  EXPECT_FALSE(glob_match("a*b*c", "a..b..b.."));
  EXPECT_FALSE(glob_match("?", ""));
}

TEST(Glob, TakesBracketsOfKernelNamesAsTheyAre) {
  EXPECT_TRUE(glob_match("f(float [4])", "f(float [4])"));
  EXPECT_FALSE(glob_match("[ab]", "a"));
  EXPECT_TRUE(glob_match("f(float*)", "f(float*)"));
}

TEST(Glob, IsQuickOnPatternsThatMakeOthersSlow) {
  std::string pattern;
  for (int i = 0; i < 1000; ++i) {
    pattern += "a*";
  }
  EXPECT_FALSE(glob_match(pattern + "b", std::string(20'000, 'a')));
}

}  // namespace
}  // namespace ridgepoint
