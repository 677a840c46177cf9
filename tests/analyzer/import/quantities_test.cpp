// An imported recording answers the questions of the counter maps, with the figures that the
// kernels are known to have.
#include <gtest/gtest.h>

#include <cmath>

#include "analyzer/metrics/counter_map.h"
#include "tests/analyzer/import/samples.h"

namespace ridgepoint {
namespace {

using test::imported;
using test::sample;
using test::value;

class ImportedQuantity : public testing::Test {
 protected:
  std::optional<double> of(const Session& session, const char* id, std::size_t launch) const {
    const QuantityDefinition* quantity = map_->find(id);
    return quantity == nullptr ? std::nullopt : evaluate(*quantity, session.counters, launch);
  }
  const Result<CounterMap> map_ = load_counter_map("GH100");
  const Session three_ = imported(sample("three-kernels-cache-none.raw.csv"));
  const Session flash_ = imported(sample("sdpa-flash-fwd-bwd.raw.csv"));
};

TEST_F(ImportedQuantity, TimeAndHbmBytes) {
  EXPECT_DOUBLE_EQ(of(three_, "time_s", 0).value(), 499.072e-6);
  // The copy moves 2 GiB: one read, one write of 1 GiB.
  EXPECT_NEAR(of(three_, "hbm_read_bytes", 0).value(), 1073741824.0, 1e6);
  EXPECT_NEAR(of(three_, "hbm_write_bytes", 0).value(), 1073741824.0, 3e6);
}

TEST_F(ImportedQuantity, TensorFlopAreTwiceMnk) {
  const double mm = 2.0 * 2048 * 2048 * 2048;
  EXPECT_DOUBLE_EQ(of(three_, "tensor_fp16_flop", 2).value(), mm);
  EXPECT_EQ(of(three_, "tensor_fp16_flop", 0), 0.0) << "measured, and none";
  // Attention forward, 8 heads of 4,096 x 4,096 with d = 128: two products.
  EXPECT_DOUBLE_EQ(of(flash_, "tensor_fp16_flop", 3).value(), 2 * 2.0 * 8 * 4096.0 * 4096 * 128);
}

TEST_F(ImportedQuantity, Fp32FlopOfTheCudaCoreProduct) {
  // 2,048 cubed FFMA, read back from a rate with six decimals.
  const double ffma = value(three_, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 1);
  EXPECT_NEAR(ffma / (2048.0 * 2048 * 2048), 1, 1e-6);
  EXPECT_NEAR(of(three_, "fp32_flop", 1).value() / (2.0 * 2048 * 2048 * 2048), 1, 1e-2);
}

TEST_F(ImportedQuantity, L2BytesAreSectorsOf32Bytes) {
  EXPECT_DOUBLE_EQ(of(three_, "l2_lookup_bytes", 0).value(), 103356899.0 * 32);
}

TEST_F(ImportedQuantity, StallsSumToTheResidentWarps) {
  for (std::size_t launch = 0; launch < three_.launches.size(); ++launch) {
    double stalls = 0;
    for (const QuantityDefinition& quantity : map_->quantities) {
      if (quantity.id.rfind("stall_", 0) == 0) {
        stalls += of(three_, quantity.id.c_str(), launch).value();
      }
    }
    const double resident = of(three_, "warp_cycles_active", launch).value();
    // They come from different passes.
    EXPECT_NEAR(stalls / resident, 1, 0.03) << launch;
  }
  const double copy =
      of(three_, "stall_long_scoreboard", 0).value() / of(three_, "warp_cycles_active", 0).value();
  EXPECT_NEAR(copy, 130.22 / 139.04, 0.01) << "a copy waits for memory";
}

TEST_F(ImportedQuantity, NeverReplacesWhatTheFileHas) {
  const Session session =
      imported("ID,Kernel Name,lts__t_bytes.sum,lts__t_sectors.sum\n,,byte,sector\n0,k,7,100\n");
  EXPECT_EQ(value(session, "lts__t_bytes.sum", 0), 7);
}

TEST_F(ImportedQuantity, IsNotMeasuredWhereAnIngredientIsMissing) {
  const Session session = imported("ID,Kernel Name,lts__t_sectors.sum\n,,sector\n0,k,100\n1,j,\n");
  EXPECT_EQ(value(session, "lts__t_bytes.sum", 0), 3200);
  EXPECT_TRUE(std::isnan(value(session, "lts__t_bytes.sum", 1)));
  EXPECT_EQ(session.counters.find("smsp__issue_active.sum"), nullptr);
}

TEST_F(ImportedQuantity, ClockOfTheDetailsPage) {
  const Session details = imported(sample("three-kernels-cache-none.details.csv"));
  EXPECT_NEAR(of(details, "sm_clock_hz", 0).value(), of(three_, "sm_clock_hz", 0).value(), 1e5);
  EXPECT_FALSE(of(details, "hbm_read_bytes", 0)) << "the details page does not have it";
}

}  // namespace
}  // namespace ridgepoint
