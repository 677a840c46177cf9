#include "collector/doctor/nvml_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "collector/nvml/nvml_library.h"
#include "tests/collector/nvml/fake_nvml.h"

namespace ridgepoint::collector {
namespace {

using State = Check::State;
using ::testing::HasSubstr;
using ::testing::Not;

struct NvmlChecks : ::testing::Test {
  test::FakeNvml fake;

  std::vector<Check> of(const std::string& id) {
    std::vector<Check> checks = nvml_checks(fake.api());
    std::erase_if(checks, [&](const Check& check) { return check.id != id; });
    return checks;
  }
  Check confidential() {
    const std::vector<Check> checks = of("confidential_computing");
    EXPECT_EQ(checks.size(), 1U) << "it is the machine's, not a GPU's";
    return checks.at(0);
  }
};

TEST_F(NvmlChecks, ListEveryGpuByName) {
  const std::vector<Check> devices = of("devices");
  ASSERT_EQ(devices.size(), 2U);
  EXPECT_EQ(devices[1].finding, "GPU 1, NVIDIA H200");
  EXPECT_EQ(devices[1].state, State::good);
}

// A machine that lost one of eight must not look like one of seven.
TEST_F(NvmlChecks, AGpuThatIsLostIsAProblemAndNotLeftOut) {
  NvmlApi api = fake.api();
  api.nvmlDeviceGetHandleByIndex_v2 = [](unsigned index, NvmlDevice* handle) {
    constexpr int gpu_is_lost = 15;
    *handle = test::FakeNvml::device(index);
    return index == 0 ? gpu_is_lost : nvml_success;
  };
  const std::vector<Check> checks = nvml_checks(api);
  EXPECT_EQ(checks.at(0).state, State::problem);
  EXPECT_THAT(checks[0].finding, HasSubstr("GPU 0 does not answer"));
  EXPECT_THAT(checks[0].action, Not(HasSubstr("--gpus")));
  EXPECT_EQ(checks.at(1).finding, "GPU 1, NVIDIA H200");
  EXPECT_EQ(checks[1].state, State::good);
}

TEST_F(NvmlChecks, AnAbsurdNumberOfGpusIsSaidAndNotWaitedFor) {
  NvmlApi api = fake.api();
  api.nvmlDeviceGetCount_v2 = [](unsigned* count) {
    *count = 4294967295U;
    return nvml_success;
  };
  const std::vector<Check> checks = nvml_checks(api);
  ASSERT_EQ(checks.size(), 1U);
  EXPECT_EQ(checks[0].state, State::problem);
  EXPECT_THAT(checks[0].finding, HasSubstr("4294967295 GPUs"));
  EXPECT_FALSE(nvml_devices(api)) << "nor is there a watch on their power";
}

TEST_F(NvmlChecks, AWholeGpuSaysNothingOfSlicesOrVirtualOnes) {
  EXPECT_TRUE(of("mig").empty());
  EXPECT_TRUE(of("vgpu").empty());
}

TEST_F(NvmlChecks, ASlicedGpuIsNamedWithWhatToDo) {
  fake.mig = 1;  // of the second GPU
  const std::vector<Check> found = of("mig");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].state, State::warning);
  EXPECT_THAT(found[0].finding, HasSubstr("GPU 1"));
  EXPECT_THAT(found[0].meaning, HasSubstr("shared"));
  EXPECT_THAT(found[0].action, HasSubstr("-mig 0"));
}

TEST_F(NvmlChecks, AVirtualGpuIsNamedWithWhatToDo) {
  fake.virtualization = nvml_virtualization_mode_vgpu;
  const std::vector<Check> found = of("vgpu");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].state, State::warning);
  EXPECT_THAT(found[0].action, HasSubstr("enable_profiling"));
  fake.virtualization = 1;  // passed through: a whole GPU inside a virtual machine
  EXPECT_TRUE(of("vgpu").empty());
}

TEST_F(NvmlChecks, ConfidentialComputingThatIsOffIsGood) {
  fake.settings_code = nvml_success;
  EXPECT_EQ(confidential().state, State::good);
  EXPECT_THAT(confidential().finding, HasSubstr("off"));
}

TEST_F(NvmlChecks, ConfidentialComputingRefusesCounters) {
  fake.settings_code = nvml_success;
  fake.confidential = 1;
  const Check check = confidential();
  EXPECT_EQ(check.state, State::problem);
  EXPECT_THAT(check.meaning, HasSubstr("refuses counters"));
  EXPECT_THAT(check.action, HasSubstr("devtools"));
}

TEST_F(NvmlChecks, InItsModeForDeveloperToolsCountersCanBeRead) {
  fake.settings_code = nvml_success;
  fake.confidential = 1;
  fake.devtools = 1;
  const Check check = confidential();
  EXPECT_EQ(check.state, State::warning);
  EXPECT_THAT(check.meaning, HasSubstr("counters can be read"));
  EXPECT_THAT(check.meaning, HasSubstr("encrypted"));
  EXPECT_FALSE(check.action.empty());
}

TEST_F(NvmlChecks, ProtectedPcieIsConfidentialAsWell) {
  fake.settings_code = nvml_success;
  fake.multi_gpu = 1;
  EXPECT_EQ(confidential().state, State::problem);
  EXPECT_THAT(confidential().finding, HasSubstr("protected PCIe"));
}

TEST_F(NvmlChecks, AnOlderDriverAnswersTheOlderQuestion) {
  fake.state_code = nvml_success;
  fake.confidential = 1;
  EXPECT_EQ(confidential().state, State::problem);
  fake.settings_code = nvml_not_supported;
  EXPECT_EQ(confidential().state, State::problem) << "the newer one may be refused beside it";
}

TEST_F(NvmlChecks, WhereThereIsNoneIsGoodAndWhereNobodySaysIsUnknown) {
  EXPECT_EQ(confidential().state, State::unknown);
  EXPECT_THAT(confidential().finding, HasSubstr("too old"));
  fake.state_code = nvml_not_supported;
  EXPECT_EQ(confidential().state, State::good);
  fake.state_code = 999;
  EXPECT_EQ(confidential().state, State::unknown);
  EXPECT_THAT(confidential().finding, HasSubstr("error 999"));
  EXPECT_THAT(confidential().finding, Not(HasSubstr("too old")));
}

TEST_F(NvmlChecks, NoGpuIsAProblemWithSomethingToDo) {
  fake.bus_ids.clear();
  const std::vector<Check> checks = nvml_checks(fake.api());
  ASSERT_EQ(checks.size(), 1U);
  EXPECT_EQ(checks[0].state, State::problem);
  EXPECT_THAT(checks[0].action, HasSubstr("--gpus all"));
}

}  // namespace
}  // namespace ridgepoint::collector
