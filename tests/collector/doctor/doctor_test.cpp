#include "collector/doctor/doctor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>

#include "tests/support/program.h"
#include "tests/support/temp_dir.h"

namespace ridgepoint::collector {
namespace {

namespace fs = std::filesystem;
using State = Check::State;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* driver_version =
    "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04  Mon\nGCC version: 12\n";

class Doctor : public ::testing::Test {
 protected:
  Doctor() {
    machine.root = folder.path();
    machine.environment = [this](const char* name) -> std::optional<std::string> {
      const auto found = variables.find(name);
      return found == variables.end() ? std::nullopt : std::optional(found->second);
    };
    fs::create_directories(folder / "proc");
  }
  void file(const std::string& path, const std::string& text) {
    fs::create_directories((folder / path).parent_path());
    std::ofstream(folder / path) << text;
  }
  test::TempDir folder;
  std::map<std::string, std::string> variables;
  Machine machine;
};

TEST_F(Doctor, NoDriverIsAProblemWithSomethingToDo) {
  const Check check = check_driver(machine).at(0);
  EXPECT_EQ(check.state, State::problem);
  EXPECT_THAT(check.action, HasSubstr("ridgepoint demo"));
}

TEST_F(Doctor, NamesTheDriversVersion) {
  file("proc/driver/nvidia/version", driver_version);
  EXPECT_THAT(check_driver(machine).at(0).finding, HasSubstr("580.159.04"));
}

TEST_F(Doctor, CountersForAdministratorsOnlyNeedOne) {
  file("proc/driver/nvidia/params", "EnableMSI: 1\nRmProfilingAdminOnly: 1\n");
  file("proc/self/status", "Name:\tx\nCapEff:\t00000000a80425fb\n");
  const Check refused = check_permission(machine).at(0);
  EXPECT_EQ(refused.state, State::problem);
  EXPECT_THAT(refused.action, HasSubstr("SYS_ADMIN"));
  file("proc/self/status", "Name:\tx\nCapEff:\t000001ffffffffff\n");
  EXPECT_EQ(check_permission(machine).at(0).state, State::good);
}

TEST_F(Doctor, CountersForEverybodyAreGood) {
  file("proc/driver/nvidia/params", "RmProfilingAdminOnly: 0\n");
  EXPECT_EQ(check_permission(machine).at(0).state, State::good);
}

TEST_F(Doctor, WhereTheDriverDoesNotSayThePermissionIsUnknown) {
  file("proc/driver/nvidia/version", driver_version);
  const Check check = check_permission(machine).at(0);
  EXPECT_EQ(check.state, State::unknown);
  EXPECT_THAT(check.finding, HasSubstr("params does not say"));
}

TEST_F(Doctor, WithoutADriverNobodySaysWhoMayReadCounters) {
  const Check check = check_permission(machine).at(0);
  EXPECT_EQ(check.state, State::unknown);
  EXPECT_THAT(check.finding, HasSubstr("no NVIDIA driver is loaded"));
  EXPECT_THAT(check.finding, Not(HasSubstr("params")));
}

TEST_F(Doctor, TheDeviceFileByWhichL2IsInvalidatedIsOpened) {
  file("proc/driver/nvidia/version", driver_version);
  const Check missing = check_device_file(machine).at(0);
  EXPECT_EQ(missing.state, State::warning);
  EXPECT_THAT(missing.finding, HasSubstr("/dev/nvidiactl cannot be opened: No such file"));
  EXPECT_THAT(missing.meaning, HasSubstr("--cache-control flush"));
  EXPECT_THAT(missing.action, HasSubstr("--gpus all"));
  file("dev/nvidiactl", "");
  EXPECT_EQ(check_device_file(machine).at(0).state, State::good);
  fs::remove(folder / "dev/nvidiactl");
  fs::create_directory(folder / "dev/nvidiactl");  // opens for nobody, not even for root
  const Check refused = check_device_file(machine).at(0);
  EXPECT_EQ(refused.state, State::warning);
  EXPECT_THAT(refused.finding, HasSubstr("cannot be opened: Is a directory"));
  EXPECT_FALSE(refused.action.empty());
}

TEST_F(Doctor, WithoutADriverTheDeviceFileIsNoFaultOfItsOwn) {
  const Check check = check_device_file(machine).at(0);
  EXPECT_EQ(check.state, State::unknown);
  EXPECT_THAT(check.finding, HasSubstr("no NVIDIA driver is loaded"));
}

TEST_F(Doctor, NvdisasmIsNamedOrMissedWithWhatItGives) {
  file("nvdisasm", "#!/bin/sh\n");
  fs::permissions(folder / "nvdisasm", fs::perms::owner_all);
  const std::string own = (folder / "nvdisasm").string();
  setenv("RIDGEPOINT_NVDISASM", own.c_str(), 1);
  const Check found = check_nvdisasm(machine).at(0);
  setenv("RIDGEPOINT_NVDISASM", "/nowhere", 1);
  const Check missing = check_nvdisasm(machine).at(0);
  unsetenv("RIDGEPOINT_NVDISASM");
  EXPECT_EQ(found.state, State::good);
  EXPECT_THAT(found.finding, HasSubstr(own));
  EXPECT_EQ(missing.state, State::warning);
  EXPECT_THAT(missing.finding, HasSubstr("/nowhere is no program"));
  EXPECT_THAT(missing.meaning, HasSubstr("SASS"));
  EXPECT_THAT(missing.action, HasSubstr("RIDGEPOINT_NVDISASM"));
}

TEST_F(Doctor, MonitoringAgentsAreNamedWithTheirProcess) {
  file("proc/4711/comm", "nv-hostengine\n");
  file("proc/12/comm", "bash\n");
  const std::vector<Check> checks = check_other_tools(machine);
  ASSERT_EQ(checks.size(), 1U);
  EXPECT_EQ(checks[0].state, State::warning);
  EXPECT_THAT(checks[0].finding, HasSubstr("4711"));
  EXPECT_THAT(checks[0].action, HasSubstr("--pause"));
}

TEST_F(Doctor, AToolIsKnownByItsWholeName) {
  file("proc/1/comm", "ncu_csv_fuzzer\n");
  file("proc/2/comm", "ncu-ui\n");
  file("proc/3/comm", "nsys-launcher\n");
  EXPECT_EQ(check_other_tools(machine).at(0).state, State::good);
  file("proc/4/comm", "ncu\n");
  const std::vector<Check> checks = check_other_tools(machine);
  ASSERT_EQ(checks.size(), 1U);
  EXPECT_THAT(checks[0].finding, HasSubstr("Nsight Compute runs (process 4)"));
}

// The kernel cuts names to 15 characters: nvidia-cuda-mps-control and -server look the same.
TEST_F(Doctor, TheProgramsOfTheMultiProcessServiceAreKnownByWhatTheyShare) {
  file("proc/7/comm", "nvidia-cuda-mps\n");
  const std::vector<Check> checks = check_other_tools(machine);
  ASSERT_EQ(checks.size(), 1U);
  EXPECT_THAT(checks[0].finding, HasSubstr("Multi-Process Service"));
}

TEST_F(Doctor, AnotherInjectedToolIsSeenInTheEnvironment) {
  variables["CUDA_INJECTION64_PATH"] = "/opt/tool.so";
  EXPECT_THAT(check_other_tools(machine).at(0).finding, HasSubstr("/opt/tool.so"));
}

TEST_F(Doctor, AQuietMachineIsGood) {
  EXPECT_EQ(check_other_tools(machine).at(0).state, State::good);
}

TEST_F(Doctor, WindowsSubsystemForLinuxIsRecognised) {
  file("proc/version", "Linux version 5.15.153.1-microsoft-standard-WSL2\n");
  EXPECT_EQ(check_platform(machine).at(0).state, State::warning);
  file("proc/version", "Linux version 6.1.0-18-amd64\n");
  EXPECT_EQ(check_platform(machine).at(0).state, State::good);
}

TEST_F(Doctor, CuptiIsNamedWithVersionAndPath) {
  const Check check = check_cupti(machine).at(0);
  ASSERT_EQ(check.state, State::good) << "this build found CUPTI: " << check.finding;
  EXPECT_THAT(check.finding, HasSubstr("libcupti.so"));
}

TEST_F(Doctor, EveryProblemAndWarningSaysWhatItMeansAndWhatToDo) {
  file("proc/driver/nvidia/params", "RmProfilingAdminOnly: 1\n");
  file("proc/4711/comm", "dcgm-exporter\n");
  file("proc/version", "microsoft\n");
  variables["COMPUTE_PROFILE"] = "1";
  int troubles = 0;
  for (const Check& check : all_checks(machine)) {
    if (check.state == State::problem || check.state == State::warning) {
      ++troubles;
      EXPECT_FALSE(check.meaning.empty()) << check.finding;
      EXPECT_FALSE(check.action.empty()) << check.finding;
    }
  }
  EXPECT_GE(troubles, 5);
}

TEST(DoctorCommand, SaysItInTextAndJsonWithTheDocumentedCode) {
  const auto text = test::run_program({"ridgepoint", "doctor"});
  const auto json = test::run_program({"ridgepoint", "doctor", "--json"});
  const bool ill =
      text.out.find("\nproblem ") != std::string::npos || text.out.rfind("problem ", 0) == 0;
  EXPECT_EQ(text.exit_code, ill ? 5 : 0);
  EXPECT_THAT(text.out, HasSubstr("driver"));
  EXPECT_THAT(text.out, HasSubstr(" nvdisasm "));
  EXPECT_THAT(text.out, HasSubstr(" device_file "));
  EXPECT_THAT(json.out, HasSubstr("\"schema\": \"ridgepoint-doctor\""));
  EXPECT_EQ(text.err, "");
}

}  // namespace
}  // namespace ridgepoint::collector
