#include "collector/nvml/nvml_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/collector/nvml/fake_nvml.h"

namespace ridgepoint::collector {
namespace {

using ::testing::HasSubstr;

TEST(NvmlLibrary, IsShutDownAsOftenAsItWasStarted) {
  test::FakeNvml fake;
  {
    auto first = Nvml::start(fake.api());
    auto second = Nvml::start(fake.api());
    ASSERT_TRUE(first && second);
    const Nvml moved = std::move(*first);
    EXPECT_EQ(fake.stops, 0);
  }
  EXPECT_EQ(fake.starts, 2);
  EXPECT_EQ(fake.stops, 2);
}

TEST(NvmlLibrary, ARefusedStartSaysWhyInNvmlsWords) {
  test::FakeNvml fake;
  fake.start_code = 9;
  const auto nvml = Nvml::start(fake.api());
  ASSERT_FALSE(nvml);
  EXPECT_EQ(nvml.error().code, 9);
  EXPECT_THAT(nvml.error().why, HasSubstr("Driver Not Loaded"));
  EXPECT_EQ(fake.stops, 0);
}

TEST(NvmlLibrary, AnAbsentLibraryIsADeviceErrorWithAHint) {
  setenv("RIDGEPOINT_NVML", "/nowhere/libnvidia-ml.so.1", 1);
  const auto nvml = Nvml::open();
  unsetenv("RIDGEPOINT_NVML");
  ASSERT_FALSE(nvml);
  EXPECT_EQ(nvml.error().domain, ErrorDomain::device);
  EXPECT_THAT(nvml.error().why, HasSubstr("/nowhere/libnvidia-ml.so.1"));
  EXPECT_FALSE(nvml.error().hint.empty());
}

TEST(NvmlLibrary, ALibraryOfAnotherKindIsRefused) {
  setenv("RIDGEPOINT_NVML", "libm.so.6", 1);
  const auto nvml = Nvml::open();
  unsetenv("RIDGEPOINT_NVML");
  ASSERT_FALSE(nvml);
  EXPECT_THAT(nvml.error().why, HasSubstr("nvmlInit_v2"));
}

}  // namespace
}  // namespace ridgepoint::collector
