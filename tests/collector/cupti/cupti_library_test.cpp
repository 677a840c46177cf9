#include "collector/cupti/cupti_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace ridgepoint::collector {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(CuptiLibrary, MissingLibraryIsADeviceErrorThatSaysHowToGetIt) {
  const auto api = load_cupti({"/nowhere/libcupti.so.13"});
  ASSERT_FALSE(api);
  EXPECT_EQ(api.error().domain, ErrorDomain::device);
  EXPECT_THAT(api.error().why, HasSubstr("not found"));
  EXPECT_THAT(api.error().hint, HasSubstr("RIDGEPOINT_CUPTI"));
}

TEST(CuptiLibrary, LibraryWithoutCuptisFunctionsIsRefusedByName) {
  const auto api = load_cupti({"libm.so.6"});
  ASSERT_FALSE(api);
  EXPECT_THAT(api.error().why, HasSubstr("libm.so.6 has no cuptiGetVersion"));
}

TEST(CuptiLibrary, ChosenPathIsTheOnlyCandidate) {
  setenv("RIDGEPOINT_CUPTI", "/opt/my/libcupti.so", 1);
  EXPECT_THAT(cupti_candidates(), ElementsAre("/opt/my/libcupti.so"));
  unsetenv("RIDGEPOINT_CUPTI");
}

TEST(CuptiLibrary, ToolkitNamedByTheEnvironmentComesFirst) {
  setenv("CUDA_PATH", "/opt/cuda-99", 1);
  EXPECT_EQ(cupti_candidates().front(), "/opt/cuda-99/lib64/libcupti.so.13");
  unsetenv("CUDA_PATH");
}

}  // namespace
}  // namespace ridgepoint::collector
