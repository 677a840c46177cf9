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
        Breakage{"pm_series[1] names kernel 2 of 2", [](Session& s) { s.pm_series[1].kernel = 2; }},
        Breakage{"pm_series[0] names kernel -7 of 2",
                 [](Session& s) { s.pm_series[0].kernel = -7; }},
        Breakage{"pm_series[1] is of launch 0 of its kernel",
                 [](Session& s) { s.pm_series[1].nth = 0; }},
        Breakage{"attention variant fused launches[0] names launch 2 of 2",
                 [](Session& s) { s.attention->variants[0].launches[0] = 2; }}));

// Values that would be printed as "-nan %", "inf times" or "-5 SMs".
INSTANTIATE_TEST_SUITE_P(
    EveryImpossibleValue, SessionFaultOf,
    testing::Values(
        Breakage{"power[1] was taken before the one in front of it",
                 [](Session& s) {
                   s.power.push_back(s.power.front());
                   s.power.back().time_ns = 4;
                 }},
        Breakage{"power[0] has 512.5 W and 1e+18 Hz",
                 [](Session& s) { s.power[0].sm_clock_hz = 1e18; }},
        Breakage{"power_phases[0] has 12 samples, and 500 of one kind",
                 [](Session& s) {
                   s.power_phases[0].samples = 12;
                   s.power_phases[0].power_capped_samples = 500;
                 }},
        Breakage{"power_phases[0] has more than 100000 W",
                 [](Session& s) { s.power_phases[0].energy_s = 1e-9; }},
        Breakage{"power_phases[0] has a clock above its highest clock",
                 [](Session& s) {
                   s.power_phases[0].sm_clock_min_hz = 5e9;
                   s.power_phases[0].sm_clock_max_hz = 2e9;
                 }},
        Breakage{"attention.shape has an extent of -1",
                 [](Session& s) { s.attention->shape.heads = -1; }},
        Breakage{"attention.shape has an extent of 0",
                 [](Session& s) { s.attention->shape.seqlen_k = 0; }},
        Breakage{"attention variant fused has a workspace of -4 bytes",
                 [](Session& s) { s.attention->variants[0].workspace_bytes = -4; }},
        Breakage{"attention has -1 analytic FLOP and 2e+06 analytic bytes",
                 [](Session& s) { s.attention->analytic_flop = -1; }},
        Breakage{"devices[0].sm_count is -5", [](Session& s) { s.devices[0].sm_count = -5; }},
        Breakage{"devices[0].l2_bytes is -5", [](Session& s) { s.devices[0].l2_bytes = -5; }},
        Breakage{"devices[0].sm_clock_max_hz is 1e+300",
                 [](Session& s) { s.devices[0].sm_clock_max_hz = 1e300; }},
        Breakage{"devices[0] has a measured ceiling of -1",
                 [](Session& s) { s.devices[0].measured_ceilings[0].value = -1; }},
        Breakage{"launches[1] has a grid or block without extent",
                 [](Session& s) { s.launches[1].grid.x = 0; }},
        Breakage{"launches[0].dynamic_smem_bytes is -8",
                 [](Session& s) { s.launches[0].dynamic_smem_bytes = -8; }},
        Breakage{"kernels[0] has a negative size",
                 [](Session& s) { s.kernels[0].registers_per_thread = -1; }},
        Breakage{"counters.columns[0] holds -6", [](Session& s) { s.counters.columns[0][1] = -6; }},
        Breakage{"counters.columns[0] holds 1e+308",
                 [](Session& s) { s.counters.columns[0][0] = 1e308; }},
        Breakage{"counters.columns[0] holds inf", [](Session& s) {
                   s.counters.columns[0][0] = std::numeric_limits<double>::infinity();
                 }}));

}  // namespace
}  // namespace ridgepoint
