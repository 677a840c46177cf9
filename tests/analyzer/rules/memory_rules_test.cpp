#include "tests/analyzer/rules/one_kernel.h"

namespace ridgepoint {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct HbmBandwidthBound : testing::OneKernel {};

TEST_F(HbmBandwidthBound, FiresWhenHbmIsTheNearestRoof) {
  kernel().bound_by = BoundBy::hbm;
  kernel().utilisation[MemoryLevel::hbm] = 0.7;
  const auto found = fired("hbm_bandwidth_bound");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_DOUBLE_EQ(found[0].evidence[0].value, 0.7);
  EXPECT_DOUBLE_EQ(*found[0].evidence[0].threshold, 0.6);
  EXPECT_NEAR(*found[0].estimated_gain, 0.3, 1e-12);
}

TEST_F(HbmBandwidthBound, IsSilentWhenComputeIsNearer) {
  kernel().bound_by = BoundBy::compute;
  kernel().utilisation[MemoryLevel::hbm] = 0.7;
  EXPECT_THAT(fired("hbm_bandwidth_bound"), IsEmpty());
}

struct SmemBankConflicts : testing::OneKernel {};

TEST_F(SmemBankConflicts, FiresFromATenthOfTheWavefrontsOn) {
  kernel().utilisation[MemoryLevel::smem] = 0.8;
  measured("smem_wavefronts", 1000);
  measured("smem_bank_conflicts", 250);
  const auto found = fired("smem_bank_conflicts");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(*found[0].estimated_gain, 0.25 * 0.8, 1e-12);
}

TEST_F(SmemBankConflicts, IsSilentBelowATenthAndWhenNotMeasured) {
  EXPECT_THAT(fired("smem_bank_conflicts"), IsEmpty());
  measured("smem_wavefronts", 1000);
  measured("smem_bank_conflicts", 90);
  EXPECT_THAT(fired("smem_bank_conflicts"), IsEmpty());
}

struct UncoalescedGlobal : testing::OneKernel {};

TEST_F(UncoalescedGlobal, FiresAboveSixteenSectorsARequest) {
  measured("global_load_requests", 100);
  measured("global_load_sectors", 3200);
  const auto found = fired("uncoalesced_global");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(*found[0].estimated_gain, 0.5 * 0.2, 1e-12);  // half the sectors, L2 used to 20 %
}

TEST_F(UncoalescedGlobal, IsSilentForFullyCoalescedSixteenByteLoads) {
  measured("global_load_requests", 100);
  measured("global_load_sectors", 1600);
  EXPECT_THAT(fired("uncoalesced_global"), IsEmpty());
}

struct RegisterSpills : testing::OneKernel {};

TEST_F(RegisterSpills, FiresOnLocalMemory) {
  session.kernels[0].local_bytes_per_thread = 64;
  const auto found = fired("register_spills");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_FALSE(found[0].estimated_gain) << "nothing measured tells what it costs";
}

TEST_F(RegisterSpills, IsSilentWithoutLocalMemory) {
  session.kernels[0].local_bytes_per_thread = 0;
  EXPECT_THAT(fired("register_spills"), IsEmpty());
}

struct MaterialisedIntermediates : testing::OneKernel {
  MaterialisedIntermediates() {
    kernel().role = "scores";
    kernel().variant = "naive";
    VariantAnalysis naive;
    naive.name = "naive";
    naive.kernels = {0};
    naive.time_s = 1e-3;
    naive.compulsory_bytes = 16e6;
    naive.traffic[MemoryLevel::hbm].measured.total = 1.016e9;
    naive.flop.precision = "tensor_fp16";
    naive.analytic_flop = 34e9;
    analysis.variants = {naive};
  }
};

TEST_F(MaterialisedIntermediates, FiresFarAboveTheCompulsoryBytesAndSaysWhatFusingSaves) {
  const auto found = fired("materialised_intermediates");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].variant, "naive");
  EXPECT_FALSE(found[0].kernel);
  // 1 GB of excess at 5 TB/s is 0.2 of a millisecond.
  EXPECT_NEAR(*found[0].estimated_gain, 0.2, 1e-9);
  EXPECT_EQ(found[0].gain_kind, GainKind::at_least);
  EXPECT_THAT(found[0].action, HasSubstr("online softmax"));
}

TEST_F(MaterialisedIntermediates, ComparesWithTheFusedVariantOfTheSameRun) {
  analysis.kernels.push_back(kernel());
  analysis.kernels[1].role = "attention";
  analysis.kernels[1].variant = "mine";
  VariantAnalysis fused;
  fused.name = "mine";
  fused.kernels = {1};
  fused.time_s = 2e-4;
  analysis.variants.push_back(fused);
  session.kernels.resize(2);
  const auto found = fired("materialised_intermediates");
  EXPECT_THAT(found[0].action, HasSubstr("mine does that in 200 µs instead of 1.00 ms"));
  // What the run itself saves, not a bound that it beats.
  EXPECT_NEAR(*found[0].estimated_gain, 0.8, 1e-12);
  EXPECT_EQ(found[0].gain_kind, GainKind::measured);
}

TEST_F(MaterialisedIntermediates, TakesTheFastestFusedVariant) {
  for (const double time_s : {5e-4, 2.5e-4}) {
    analysis.kernels.push_back(kernel());
    analysis.kernels.back().role = "attention";
    analysis.kernels.back().variant = time_s == 5e-4 ? "slow" : "fast";
    VariantAnalysis fused;
    fused.name = analysis.kernels.back().variant;
    fused.kernels = {analysis.kernels.size() - 1};
    fused.time_s = time_s;
    analysis.variants.push_back(fused);
  }
  session.kernels.resize(3);
  EXPECT_NEAR(*fired("materialised_intermediates")[0].estimated_gain, 0.75, 1e-12);
}

TEST_F(MaterialisedIntermediates, IsSilentWhenTheScoresStayInL2) {
  analysis.variants[0].traffic[MemoryLevel::hbm].measured.total = 30e6;
  EXPECT_THAT(fired("materialised_intermediates"), IsEmpty());
}

TEST_F(MaterialisedIntermediates, IsSilentForAFusedKernelThatStreamsItsKeysTwice) {
  kernel().role = "attention";
  EXPECT_THAT(fired("materialised_intermediates"), IsEmpty());
}

}  // namespace
}  // namespace ridgepoint
