#include "analyzer/core/nearest_word.h"

#include <gtest/gtest.h>

namespace ridgepoint {
namespace {

const std::vector<std::string> known = {"latency_s.p50", "latency_s.p99", "time_s", "min", "max"};

TEST(NearestWord, TakesABeginningForTheFirstThatGoesOnSo) {
  EXPECT_EQ(nearest_word("latency", known), "latency_s.p50");
}

TEST(NearestWord, ForgivesTwoLetters) {
  EXPECT_EQ(nearest_word("tiem_s", known), "time_s");
  EXPECT_EQ(nearest_word("latency_s.p90", known), "latency_s.p50");
  EXPECT_EQ(nearest_word("timers", known), "time_s");
  EXPECT_EQ(nearest_word("timings_s", known), "");
}

TEST(NearestWord, GuessesNothingFromTwoLettersOrAPage) {
  EXPECT_EQ(nearest_word("mi", known), "");
  EXPECT_EQ(nearest_word(std::string(1'000'000, 'm'), known), "");
}

TEST(NearestWord, IsAQuestionInAHint) {
  EXPECT_EQ(did_you_mean("maxx", known), "did you mean max? ");
  EXPECT_EQ(did_you_mean("bogus", known), "");
}

}  // namespace
}  // namespace ridgepoint
