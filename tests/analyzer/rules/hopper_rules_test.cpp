// Rules about wgmma and TMA.
#include "tests/analyzer/rules/one_kernel.h"

namespace ridgepoint {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct Wgmma : testing::OneKernel {
  Wgmma() {
    measured("gmma_instructions", 1e6);
    measured("tensor_pipe_active_share", 0.4);
  }
};

TEST_F(Wgmma, SerialisedProductsAreSeenByTheirStall) {
  kernel().stalls = {{"gmma", 0.45, false}};
  const auto found = fired("wgmma_serialised");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(*found[0].estimated_gain, 0.45, 1e-12);
  EXPECT_THAT(fired("tensor_pipe_low"), IsEmpty());
}

TEST_F(Wgmma, WaitingForABusyTensorPipeIsNoFault) {
  kernel().stalls = {{"gmma", 0.45, false}};
  kernel().quantities.back().second = 0.85;
  EXPECT_THAT(fired("wgmma_serialised"), IsEmpty());
}

TEST_F(Wgmma, AnIdleTensorPipeWithoutAReasonIsReported) {
  const auto found = fired("tensor_pipe_low");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(*found[0].estimated_gain, 1 - 0.4 / 0.6, 1e-12);
}

TEST_F(Wgmma, ATensorPipeThatIsBusyOrBehindAnotherRoofIsNotReported) {
  kernel().bound_by = BoundBy::l2;
  kernel().utilisation[MemoryLevel::l2] = 0.9;
  EXPECT_THAT(fired("tensor_pipe_low"), IsEmpty());
  kernel().bound_by = BoundBy::latency;
  kernel().quantities.back().second = 0.65;
  EXPECT_THAT(fired("tensor_pipe_low"), IsEmpty());
}

TEST_F(Wgmma, CopiesByThreadsArePointedOut) {
  measured("tma_instructions", 0);
  const auto found = fired("tma_absent");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_FALSE(found[0].estimated_gain);
  EXPECT_THAT(found[0].action, HasSubstr("cp.async.bulk.tensor"));
}

TEST_F(Wgmma, TmaThatIsUsedNotCountedOrNotThereIsNotPointedOut) {
  EXPECT_THAT(fired("tma_absent"), IsEmpty());
  measured("tma_instructions", 12);
  EXPECT_THAT(fired("tma_absent"), IsEmpty());
  kernel().quantities.back().second = 0;
  device.compute_capability_major = 8;
  EXPECT_THAT(fired("tma_absent"), IsEmpty());
}

}  // namespace
}  // namespace ridgepoint
