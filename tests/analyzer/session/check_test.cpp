#include "analyzer/session/check.h"

#include <gtest/gtest.h>

#include <ostream>

#include "tests/analyzer/session/full_session.h"

namespace ridgepoint {
namespace {

TEST(SessionFault, IsEmptyForAConsistentSession) {
  EXPECT_EQ(session_fault(test::full_session()), "");
  EXPECT_EQ(session_fault(Session()), "");
}

struct Breakage {
  const char* fault;
  void (*apply)(Session&);
};

void PrintTo(const Breakage& breakage, std::ostream* out) {
  *out << breakage.fault;
}

class SessionFaultOf : public testing::TestWithParam<Breakage> {};

TEST_P(SessionFaultOf, NamesTheIndexThatPointsNowhere) {
  Session session = test::full_session();
  GetParam().apply(session);
  EXPECT_EQ(session_fault(session), GetParam().fault);
}

INSTANTIATE_TEST_SUITE_P(
    EveryIndex, SessionFaultOf,
    testing::Values(
        Breakage{"launches[1] names kernel 9 of 2", [](Session& s) { s.launches[1].kernel = 9; }},
        Breakage{"launches[0] names device 1 of 1", [](Session& s) { s.launches[0].device = 1; }},
        Breakage{"imported_rules[1] names launch 2 of 2",
                 [](Session& s) { s.imported_rules[1].launch = 2; }},
        Breakage{"launches[0] names range 2 of 2", [](Session& s) { s.launches[0].range = 2; }},
        Breakage{"launches[0] names range -7 of 2", [](Session& s) { s.launches[0].range = -7; }},
        Breakage{"counters.columns[0] has 1 rows for 2 launches",
                 [](Session& s) { s.counters.columns[0].pop_back(); }},
        Breakage{"counters has 0 names for 1 columns",
                 [](Session& s) { s.counters.names.clear(); }},
        Breakage{"pc_samples[1] names kernel 2 of 2",
                 [](Session& s) { s.pc_samples[1].kernel = 2; }},
        Breakage{"pc_samples[0] names stall reason 5 of 2",
                 [](Session& s) { s.pc_samples[0].reason = 5; }},
        Breakage{"ranges[0] names parent 0", [](Session& s) { s.ranges[0].parent = 0; }},
        Breakage{"power[0] names device 3 of 1", [](Session& s) { s.power[0].device = 3; }},
        Breakage{"attention.shape has a negative extent",
                 [](Session& s) { s.attention->shape.heads = -1; }},
        Breakage{"attention variant fused launches[0] names launch 2 of 2",
                 [](Session& s) { s.attention->variants[0].launches[0] = 2; }}));

}  // namespace
}  // namespace ridgepoint
