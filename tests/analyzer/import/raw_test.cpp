// The raw page of real recordings, checked against values read in the files by eye.
#include <gtest/gtest.h>

#include <cmath>

#include "analyzer/session/check.h"
#include "analyzer/session/session_file.h"
#include "tests/analyzer/import/samples.h"

namespace ridgepoint {
namespace {

using test::imported;
using test::issue;
using test::sample;
using test::value;

class ThreeKernels : public testing::Test {
 protected:
  const Session session = imported(sample("three-kernels-cache-none.raw.csv"));
};

TEST_F(ThreeKernels, LaunchesHaveNamesAndShapes) {
  ASSERT_EQ(session.launches.size(), 3U);
  ASSERT_EQ(session.kernels.size(), 3U);
  EXPECT_EQ(session.kernels[0].name, "copyk(const float4 *, float4 *, unsigned long)");
  EXPECT_EQ(session.kernels[1].name, "naive_mm(const __half *, const __half *, float *, int, int)");
  EXPECT_EQ(session.launches[0].grid.x, 262144U);
  EXPECT_EQ(session.launches[1].grid.y, 128U);
  EXPECT_EQ(session.launches[1].block.x, 16U);
  EXPECT_EQ(session.launches[1].block.y, 16U);
  EXPECT_EQ(session.launches[2].stream, 7U);
  EXPECT_EQ(session.launches[2].cluster.x, 1U) << "0 in the file: launched without clusters";
}

TEST(RawPage, AValueThatNoCounterCanHaveIsNotMeasured) {
  std::string text = sample("three-kernels-cache-none.raw.csv");
  const std::size_t read_bytes = text.find("\"1.073812\"");
  ASSERT_NE(read_bytes, std::string::npos);
  text.insert(read_bytes + 1, "-");
  const Session session = imported(text);
  EXPECT_TRUE(std::isnan(value(session, "dram__bytes_read.sum", 0)));
  EXPECT_NE(issue(session, "import.impossible"), "");
  EXPECT_EQ(session_fault(session), "");
}

TEST(RawPage, TextInPlaceOfACounterIsSaid) {
  std::string text = sample("three-kernels-cache-none.raw.csv");
  EXPECT_EQ(issue(imported(text), "import.unreadable"), "");
  const std::size_t read_bytes = text.find("\"1.073812\"");
  ASSERT_NE(read_bytes, std::string::npos);
  text.replace(read_bytes, 10, "\"1.07x812\"");
  const Session session = imported(text);
  EXPECT_TRUE(std::isnan(value(session, "dram__bytes_read.sum", 0)));
  EXPECT_EQ(issue(session, "import.unreadable").rfind("1 counter value is no number", 0), 0U);
}

TEST_F(ThreeKernels, KernelsHaveTheirResources) {
  EXPECT_EQ(session.kernels[0].registers_per_thread, 16);
  EXPECT_EQ(session.kernels[1].registers_per_thread, 30);
  EXPECT_EQ(session.kernels[2].registers_per_thread, 38);
  EXPECT_EQ(session.kernels[0].static_smem_bytes, 0);
  EXPECT_EQ(session.kernels[1].static_smem_bytes, 1088);
  EXPECT_EQ(session.launches[1].dynamic_smem_bytes, 0);
  EXPECT_FALSE(session.kernels[0].local_bytes_per_thread) << "the export does not have it";
}

TEST_F(ThreeKernels, CountersAreInTheUnitsOfCupti) {
  EXPECT_DOUBLE_EQ(value(session, "gpu__time_duration.sum", 0), 499072) << "0.499072 ms";
  EXPECT_DOUBLE_EQ(value(session, "gpu__time_duration.sum", 1), 2649120);
  EXPECT_DOUBLE_EQ(value(session, "dram__bytes_read.sum", 0), 1073812000) << "1.073812 Gbyte";
  EXPECT_DOUBLE_EQ(value(session, "dram__bytes_write.sum", 2), 8872000);
  EXPECT_DOUBLE_EQ(value(session, "dram__bytes.sum.per_second", 0), 4.299336e12);
  EXPECT_DOUBLE_EQ(value(session, "dram__bytes.sum.peak_sustained", 0), 1504);
  EXPECT_DOUBLE_EQ(value(session, "sm__cycles_elapsed.avg.per_second", 1), 1.979770e9);
  EXPECT_DOUBLE_EQ(value(session, "lts__t_sectors.sum.per_second", 0), 207.098172e9);
  EXPECT_DOUBLE_EQ(value(session, "sm__warps_active.avg.pct_of_peak_sustained_active", 0),
                   77.631753);
  EXPECT_DOUBLE_EQ(value(session, "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", 1), 575792676);
  EXPECT_DOUBLE_EQ(value(session, "launch__waves_per_multiprocessor", 2), 2.59);
}

TEST_F(ThreeKernels, EmptyCellsAreNotMeasuredAndZerosAreZero) {
  EXPECT_TRUE(std::isnan(value(session, "SM_B.TriageCompute.l1tex__t_sector_hit_rate.pct", 0)));
  EXPECT_EQ(value(session, "sm__ops_path_tensor_src_bf16_dst_fp32.sum", 0), 0);
  EXPECT_TRUE(std::isnan(value(session, "derived_tempMetric4", 0))) << "nan in the file";
  EXPECT_NE(issue(session, "import.no_value"), "");
}

TEST_F(ThreeKernels, TheDeviceComesFromItsAttributes) {
  ASSERT_EQ(session.devices.size(), 1U);
  const DeviceInfo& device = session.devices[0];
  EXPECT_EQ(device.name, "NVIDIA H200");
  EXPECT_EQ(device.chip, "GH100");
  EXPECT_EQ(device.compute_capability_major, 9);
  EXPECT_EQ(device.compute_capability_minor, 0);
  EXPECT_EQ(device.sm_count, 132);
  EXPECT_EQ(device.l2_bytes, 62914560);
  EXPECT_EQ(device.smem_per_sm_bytes, 233472);
  EXPECT_EQ(device.smem_per_block_bytes, 232448);
  EXPECT_EQ(device.smem_reserved_per_block_bytes, 1024);
  EXPECT_EQ(device.registers_per_sm, 65536);
  EXPECT_EQ(device.warps_per_sm, 64);
  EXPECT_EQ(device.blocks_per_sm, 32);
  EXPECT_EQ(device.memory_bytes, 150109880320);
  EXPECT_EQ(device.memory_bus_bits, 6016);
  EXPECT_DOUBLE_EQ(device.sm_clock_max_hz, 1.98e9);
  EXPECT_DOUBLE_EQ(device.memory_clock_max_hz, 3.201e9);
}

TEST_F(ThreeKernels, SaysHowItWasMeasuredAndWhatIsNotKnown) {
  EXPECT_EQ(session.producer.mode, "import");
  EXPECT_EQ(session.policy.passes, 38);
  EXPECT_EQ(session.policy.pc_sampling_period_cycles, 2048);
  EXPECT_EQ(session.policy.cache_control, "") << "the file does not say";
  EXPECT_NE(issue(session, "import.not_recorded").find("cache control"), std::string::npos);
  EXPECT_EQ(issue(session, "import.unit_unknown"), "") << "all units of a full page are known";
  EXPECT_EQ(issue(session, "import.rows_skipped"), "");
}

TEST_F(ThreeKernels, SurvivesBeingSavedAndOpened) {
  const auto again = parse_session(session_to_json(session), "again");
  ASSERT_TRUE(again);
  EXPECT_EQ(again->launches.size(), 3U);
  EXPECT_EQ(value(*again, "gpu__time_duration.sum", 1),
            value(session, "gpu__time_duration.sum", 1));
}

TEST(RawPage, LaunchesAreInTheirNvtxRange) {
  const Session session = imported(sample("sdpa-flash-fwd-bwd.raw.csv"));
  ASSERT_EQ(session.launches.size(), 16U);
  const auto range = [&](std::size_t launch) -> std::string {
    const std::int64_t index = session.launches[launch].range;
    return index == no_index ? "" : session.ranges[static_cast<std::size_t>(index)].name;
  };
  EXPECT_EQ(range(0), "");
  EXPECT_EQ(range(3), "fwd");
  EXPECT_EQ(range(4), "bwd");
  EXPECT_EQ(range(9), "") << "launched by autograd's own thread";
  EXPECT_EQ(range(11), "fwd");
  EXPECT_DOUBLE_EQ(value(session, "gpu__time_duration.sum", 3), 204288);
  EXPECT_DOUBLE_EQ(value(session, "dram__bytes_read.sum", 9), 51241984);
  EXPECT_EQ(session.launches[9].dynamic_smem_bytes, 147456);
  EXPECT_EQ(session.kernels[session.launches[3].kernel].registers_per_thread, 255);
}

TEST(RawPage, LaunchesOfOneKernelShareIt) {
  const Session session = imported(sample("sdpa-math-fwd-bwd.raw.csv"));
  ASSERT_EQ(session.launches.size(), 24U);
  EXPECT_EQ(session.launches[0].kernel, session.launches[2].kernel);
  EXPECT_NE(session.launches[0].kernel, session.launches[9].kernel);
}

TEST(RawPage, KeepsInstantiationsApartThatPrintTheSameName) {
  const Session session = imported(
      "ID,Kernel Name,launch__registers_per_thread\n,,register/thread\n0,k,16\n1,k,32\n2,k,16\n");
  EXPECT_EQ(session.kernels.size(), 2U);
  EXPECT_EQ(session.launches[2].kernel, session.launches[0].kernel);
}

TEST(RawPage, TakesColumnsInAnyOrderAndFewOfThem) {
  const Session session = imported("gpu__time_duration.sum,Kernel Name\nus,\n5.5,k\n,j\n");
  ASSERT_EQ(session.launches.size(), 2U);
  EXPECT_DOUBLE_EQ(value(session, "gpu__time_duration.sum", 0), 5500);
  EXPECT_TRUE(std::isnan(value(session, "gpu__time_duration.sum", 1)));
  EXPECT_NE(issue(session, "import.chip_unknown"), "");
}

TEST(RawPage, SaysWhenThereAreNoUnits) {
  const Session session = imported("ID,Kernel Name,gpu__time_duration.sum\n0,k,5500\n");
  EXPECT_DOUBLE_EQ(value(session, "gpu__time_duration.sum", 0), 5500);
  EXPECT_NE(issue(session, "import.units_missing"), "");
}

TEST(RawPage, ReadsAWindowsMachineWithDecimalCommas) {
  const Session session = imported(
      "\xEF\xBB\xBF\"ID\";\"Kernel Name\";\"gpu__time_duration.sum\";\"dram__bytes_read.sum\"\r\n"
      ";;ms;Kbyte\r\n\"0\";\"k\";\"0,499072\";\"1.234,5\"\r\n");
  EXPECT_DOUBLE_EQ(value(session, "gpu__time_duration.sum", 0), 499072);
  EXPECT_DOUBLE_EQ(value(session, "dram__bytes_read.sum", 0), 1234500);
}

TEST(RawPage, ReadsTheUtf16OfPowerShell) {
  const std::string text = "ID,Kernel Name,gpu__time_duration.sum\n,,us\n0,k,7\n";
  std::string utf16 = "\xFF\xFE";
  for (const char c : text) {
    utf16 += c;
    utf16 += '\0';
  }
  EXPECT_DOUBLE_EQ(value(imported(utf16), "gpu__time_duration.sum", 0), 7000);
}

TEST(RawPage, LeavesOutWhatTheProgramPrintedBetweenTheRows) {
  const Session session = imported(
      "==PROF== Profiling \"k\" - 0: 0%....100% - 1 pass\n==WARNING== Found outstanding GPU clock "
      "reset\nID,Kernel Name,gpu__time_duration.sum\n,,us\n0,k,5\nhello from the program\n==PROF== "
      "Disconnected\n\n1,k,6\n");
  EXPECT_EQ(session.launches.size(), 2U);
  EXPECT_EQ(issue(session, "import.rows_skipped"),
            "1 line is among the rows but not of the table, and left out.");
  EXPECT_EQ(issue(session, "import.profiler_message"),
            "==WARNING== Found outstanding GPU clock reset");
}

TEST(RawPage, SaysWhenTheFileIsTorn) {
  const std::string whole = sample("three-kernels-cache-none.raw.csv");
  const Session session = imported(whole.substr(0, whole.rfind("\"wmma_mm") + 5));
  EXPECT_EQ(session.launches.size(), 2U);
  EXPECT_NE(issue(session, "import.torn").find("never ends"), std::string::npos);
}

}  // namespace
}  // namespace ridgepoint
