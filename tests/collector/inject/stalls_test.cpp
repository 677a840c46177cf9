// `ridgepoint profile --stalls` the whole way, with a program whose GPU is a fake: every launch is
// seen 30 + 20 times at +0x50 (long scoreboard; 20 while nothing was issued) and 10 times at +0x60.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>

#include "tests/collector/inject/fake_gpu_run.h"

namespace ridgepoint {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Stalls : public test::FakeGpuRun {
 protected:
  Stalls() {
    setenv("RIDGEPOINT_NVDISASM", RIDGEPOINT_FAKE_NVDISASM, 1);
    std::ofstream(folder / "code") << "machine code with a .debug_line section";
  }
  ~Stalls() override { unsetenv("RIDGEPOINT_NVDISASM"); }

  test::ProgramResult profile(const std::string& acts, std::vector<std::string> options = {}) {
    options.insert(options.begin(), {"-q", "--stalls"});
    return profile_acts(options, acts);
  }
  static bool has_issue(const Session& session, const std::string& code) {
    return std::any_of(session.issues.begin(), session.issues.end(),
                       [&](const Issue& issue) { return issue.code == code; });
  }
};

TEST_F(Stalls, SamplesOfAllLaunchesAreAddedUpByInstruction) {
  const auto result = profile("init context module code launch k 5");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Session s = session();
  EXPECT_EQ(s.launches.size(), 5U);
  EXPECT_EQ(s.policy.counter_profile, "none");
  EXPECT_EQ(s.policy.pc_sampling_period_cycles, 65536);
  ASSERT_EQ(s.pc_samples.size(), 2U);
  EXPECT_EQ(s.pc_samples[0].pc_offset, 0x50U);
  EXPECT_EQ(s.stall_reasons.at(s.pc_samples[0].reason), "long_scoreboard");
  EXPECT_EQ(s.pc_samples[0].samples, 150U);
  EXPECT_EQ(s.pc_samples[0].samples_not_issued, 100U);
  EXPECT_EQ(s.pc_samples[1].samples, 50U);
}

TEST_F(Stalls, SamplesOfEachDeviceStandApart) {
  const auto result = profile("init context module code launch k 2 device 1 context launch k 3");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Session s = session();
  ASSERT_EQ(s.devices.size(), 2U);
  std::map<std::int64_t, std::uint64_t> at_load;
  for (const PcSample& sample : s.pc_samples) {
    at_load[sample.device] += sample.pc_offset == 0x50 ? sample.samples : 0;
  }
  EXPECT_EQ(at_load, (std::map<std::int64_t, std::uint64_t>{{0, 60}, {1, 90}}));

  const auto json = ridgepoint({"report", "a.ridge", "-f", "json"});
  EXPECT_THAT(json.out, HasSubstr("\"stalls_by_device\": ["));
  const auto text = ridgepoint({"report", "a.ridge"});
  EXPECT_THAT(text.out, HasSubstr("k on GPU 0"));
  EXPECT_THAT(text.out, HasSubstr("k on GPU 1"));
}

TEST_F(Stalls, InstructionsHaveTheirTextAndLineFromTheCodeThatWasLoaded) {
  profile("init context module code launch k 1");
  const Session s = session();
  ASSERT_EQ(s.instructions.size(), 2U);
  EXPECT_EQ(s.instructions[0].sass, "LDG.E R2, desc[UR4][R2.64]");
  EXPECT_EQ(s.instructions[0].line, 7U);
  EXPECT_EQ(s.source_files.at(static_cast<std::size_t>(s.instructions[0].file)), "/src/kernel.cu");
  EXPECT_EQ(s.instructions[1].sass, "@!P0 FADD R5, R2, R5");
  EXPECT_EQ(s.instructions[1].line, 0U);
  ASSERT_EQ(s.cubins.size(), 1U);
  EXPECT_FALSE(s.cubins[0].zstd_base64.empty());
  EXPECT_EQ(s.kernels[0].cubin_hash, s.cubins[0].hash);

  const auto report = ridgepoint({"report", "a.ridge", "--hotspots", "k"});
  EXPECT_EQ(report.exit_code, 0) << report.err;
  EXPECT_THAT(report.out, HasSubstr("LDG.E R2"));
  EXPECT_THAT(report.out, HasSubstr("kernel.cu:7"));
  EXPECT_THAT(ridgepoint({"report", "a.ridge", "-f", "json"}).out, HasSubstr("/src/kernel.cu"));
  EXPECT_EQ(ridgepoint({"report", "a.ridge", "--hotspots", "other"}).exit_code, 2);
  EXPECT_EQ(ridgepoint({"report", "a.ridge", "-f", "json", "--hotspots", "k"}).exit_code, 3);
}

TEST_F(Stalls, CodeThatIsLoadedWithinALaunchIsKeptToo) {
  setenv("FAKE_CUPTI_LAZY_MODULE", "code", 1);
  profile("init context launch k 2");
  unsetenv("FAKE_CUPTI_LAZY_MODULE");
  const Session s = session();
  EXPECT_FALSE(has_issue(s, "stalls.cubin_left_out"));
  EXPECT_EQ(s.instructions.size(), 2U);
}

TEST_F(Stalls, OnlySampledCodeIsKept) {
  std::ofstream(folder / "unused") << "code of which nothing runs";
  profile("init context module unused module code launch k 1");
  EXPECT_EQ(session().cubins.size(), 1U);
}

TEST_F(Stalls, WithoutNvdisasmTheSamplesStayAndANoteSaysWhy) {
  setenv("RIDGEPOINT_NVDISASM", "/nowhere/nvdisasm", 1);
  const auto result = profile("init context module code launch k 1");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const Session s = session();
  EXPECT_TRUE(has_issue(s, "stalls.no_sass"));
  EXPECT_EQ(s.pc_samples.size(), 2U);
  ASSERT_EQ(s.instructions.size(), 1U) << "its line is still known";
  EXPECT_TRUE(s.instructions[0].sass.empty());
}

TEST_F(Stalls, CodeThatWasNotSeenBeingLoadedIsSaid) {
  profile("init context module /dev/null launch k 1");
  const Session s = session();
  EXPECT_TRUE(s.instructions.empty());
  EXPECT_EQ(s.pc_samples.size(), 2U);
  EXPECT_TRUE(has_issue(s, "stalls.cubin_left_out"));
}

TEST_F(Stalls, AKilledProgramKeepsTheSamplesThatWereWritten) {
  profile("init context module code launch k 4 sleep 2600 kill 9");
  const Session s = session();
  EXPECT_TRUE(has_issue(s, "profile.cut_short"));
  ASSERT_EQ(s.pc_samples.size(), 2U);
  EXPECT_EQ(s.pc_samples[0].samples, 120U);
}

TEST_F(Stalls, RefusedPermissionIsAnErrorAndTheTimelineStays) {
  setenv("FAKE_CUPTI_SAMPLING", "35", 1);
  const auto result = profile("init context launch k 2");
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_THAT(result.err, HasSubstr("only administrators"));
  EXPECT_EQ(session().launches.size(), 2U);
}

TEST_F(Stalls, SamplesAndCountersAreNotTakenInOneRun) {
  const auto result = profile("init", {"-c", "lite"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("--counters lite"));
  EXPECT_THAT(result.err, Not(HasSubstr("did nothing")));
}

}  // namespace
}  // namespace ridgepoint
