#include "analyzer/compare/cause.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/recordings.h"

namespace ridgepoint {
namespace {

using test_support::analysed;
using test_support::recording;
using testing::HasSubstr;
using testing::Not;

std::string fused_cause(const Session& base, const Session& now) {
  return compare(analysed(base), analysed(now)).variants.at(1).cause;
}

// 12 % more time with 1.8 times the bytes through HBM.
Session heavier() {
  Session session = recording();
  test_support::slow_down(session, "fused", 1.12);
  test_support::scale_counter(session, "dram__bytes_read.sum", 1.8);
  test_support::scale_counter(session, "dram__bytes_write.sum", 1.8);
  return session;
}

TEST(Cause, NamesWhatRoseWithTheTimeAndWhatStayed) {
  EXPECT_EQ(fused_cause(recording(), heavier()),
            "12.0 % more time: HBM bytes up 80.0 %, same FLOP");
}

TEST(Cause, ReadsTheOtherWayRoundFromTheOtherSide) {
  EXPECT_EQ(fused_cause(heavier(), recording()),
            "10.7 % less time: HBM bytes down 44.4 %, same FLOP");
}

TEST(Cause, AdmitsThatTheCountersDoNotExplainIt) {
  Session session = recording();
  test_support::slow_down(session, "fused", 1.12);
  EXPECT_THAT(fused_cause(recording(), session), HasSubstr("nothing that was counted explains it"));
}

TEST(Cause, DoesNotBlameBytesThatMovedAgainstTheTime) {
  Session session = recording();
  test_support::slow_down(session, "fused", 1.12);
  test_support::scale_counter(session, "dram__bytes_read.sum", 0.5);
  EXPECT_THAT(fused_cause(recording(), session), Not(HasSubstr("HBM bytes")));
}

TEST(Cause, IgnoresCountersThatWereTakenInAnotherWay) {
  Session session = heavier();
  session.policy.cache_control = "caches left as they were";
  EXPECT_THAT(fused_cause(recording(), session), Not(HasSubstr("HBM bytes")));
}

TEST(Cause, BlamesNothingForNoise) {
  Session session = recording();
  test_support::scale_counter(session, "dram__bytes_read.sum", 1.8);
  EXPECT_EQ(fused_cause(recording(), session), "no change that counts (+0.0 %)");
}

}  // namespace
}  // namespace ridgepoint
