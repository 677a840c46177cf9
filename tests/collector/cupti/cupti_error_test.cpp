#include "collector/cupti/cupti_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/collector/cupti/fake_cupti.h"

namespace ridgepoint::collector {
namespace {

using ::testing::HasSubstr;

Error error_of(CUptiResult code) {
  test::FakeCupti fake;
  const CuptiApi api = fake.api();
  return cupti_failure(api, code, "opening the GPU's counters").value();
}

TEST(CuptiError, MissingPrivilegesNameEveryWayToGetThem) {
  const Error error = error_of(CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
  EXPECT_EQ(error.domain, ErrorDomain::device);
  EXPECT_EQ(error.code, 35);
  EXPECT_THAT(error.why, HasSubstr("RmProfilingAdminOnly"));
  EXPECT_THAT(error.hint, HasSubstr("sudo"));
  EXPECT_THAT(error.hint, HasSubstr("NVreg_RestrictProfilingToAdminUsers=0"));
  EXPECT_THAT(error.hint, HasSubstr("--cap-add=SYS_ADMIN"));
}

TEST(CuptiError, SecondSubscriberIsCalledAnotherProfiler) {
  EXPECT_THAT(error_of(CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED).why,
              HasSubstr("another profiler"));
}

TEST(CuptiError, EveryCodeAUserCanActOnHasAHint) {
  for (const int code : {14, 26, 27, 33, 35, 36, 38, 39, 40, 41, 42, 43, 44, 45, 46}) {
    EXPECT_FALSE(error_of(static_cast<CUptiResult>(code)).hint.empty()) << code;
  }
}

TEST(CuptiError, OtherCodesKeepCuptisNameAndNumber) {
  const Error error = error_of(CUPTI_ERROR_UNKNOWN);
  EXPECT_THAT(error.why, HasSubstr("999"));
  EXPECT_TRUE(error.hint.empty());
}

}  // namespace
}  // namespace ridgepoint::collector
