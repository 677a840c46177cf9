#include "analyzer/stalls/shared_samples.h"

#include <gmock/gmock.h>

namespace ridgepoint {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

KernelAnalysis row(std::size_t session_kernel, std::optional<double> time_s, std::int64_t samples) {
  KernelAnalysis kernel;
  kernel.session_kernel = session_kernel;
  kernel.time_s = time_s;
  kernel.stall_samples = samples;
  return kernel;
}

TEST(SharedSamples, RowsThatRunTheSameCodeShowTheSameSamples) {
  const SharedSamples shared(
      {row(7, 1, 100), row(8, 1, 50), row(7, 1, 100), row(9, 1, 0), row(9, 1, 0)});
  EXPECT_THAT(shared.rows_of(0), ElementsAre(0, 2));
  EXPECT_THAT(shared.rows_of(2), ElementsAre(0, 2));
  EXPECT_THAT(shared.rows_of(1), IsEmpty());
  EXPECT_THAT(shared.rows_of(3), IsEmpty()) << "without samples there is nothing to share";
  EXPECT_THAT(shared.rows_of(99), IsEmpty());
  EXPECT_FALSE(shared.bounds(1, 0.5));
}

TEST(SharedSamples, ARowsOwnShareLiesAsFarOffAsTheTimeOfTheOthersAllows) {
  const SharedSamples shared({row(0, 3e-3, 100), row(0, 1e-3, 100)});
  const ShareBounds longer = *shared.bounds(0, 0.6);  // three quarters of the samples
  EXPECT_THAT(longer.least, DoubleNear((0.6 - 0.25) / 0.75, 1e-12));
  EXPECT_THAT(longer.most, DoubleNear(0.8, 1e-12));
  const ShareBounds shorter = *shared.bounds(1, 0.6);
  EXPECT_EQ(shorter.least, 0);
  EXPECT_EQ(shorter.most, 1);
}

TEST(SharedSamples, WithoutTimesAnyShareIsPossible) {
  const SharedSamples shared({row(0, 1e-3, 100), row(0, std::nullopt, 100)});
  EXPECT_EQ(shared.bounds(0, 0.6)->least, 0);
  EXPECT_EQ(shared.bounds(0, 0.6)->most, 1);
}

}  // namespace
}  // namespace ridgepoint
