// `ridgepoint profile` on a GPU: a plain CUDA program, and PyTorch where it is installed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <set>

#include "analyzer/session/session_file.h"
#include "tests/support/program.h"
#include "tests/support/temp_dir.h"

namespace ridgepoint {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr double elements = 1 << 24;  // of vector_program's vectors
constexpr double bytes = elements * 4;

class ProfileOnGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists("/proc/driver/nvidia/version")) {
      GTEST_SKIP() << "no NVIDIA driver on this machine";
    }
  }
  test::ProgramResult profile(std::vector<std::string> options,
                              const std::vector<std::string>& program) {
    options.insert(options.begin(), {"ridgepoint", "profile", "-q", "-o", "a.ridge"});
    options.push_back("--");
    options.insert(options.end(), program.begin(), program.end());
    return test::run_program(options, folder.path().string());
  }
  Session session() {
    const Result<Session> read = read_session(folder / "a.ridge");
    EXPECT_TRUE(read) << format_error(read.error());
    return read.value_or(Session());
  }
  static std::multiset<std::string> codes_of(const Session& session) {
    std::multiset<std::string> codes;
    for (const Issue& issue : session.issues) {
      codes.insert(issue.code);
    }
    return codes;
  }
  static double value(const Session& session, const std::string& counter, std::size_t launch) {
    const std::vector<double>* column = session.counters.find(counter);
    return column == nullptr ? not_measured : column->at(launch);
  }
  const std::vector<std::string> vector_program = {RIDGEPOINT_VECTOR_PROGRAM};
  test::TempDir folder;
};

TEST_F(ProfileOnGpu, TheTimelineIsWholeAndTheResultRight) {
  const auto result = profile({"-c", "none"}, vector_program);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "first sum 3.0\n");
  const Session s = session();
  EXPECT_EQ(s.launches.size(), 20U);
  EXPECT_EQ(s.kernels.size(), 2U);
  EXPECT_GE(s.memory_operations.size(), 4U);
  ASSERT_EQ(s.ranges.size(), 20U);
  EXPECT_EQ(s.ranges[static_cast<std::size_t>(s.launches[1].range)].name, "scale");
  EXPECT_TRUE(s.issues.empty()) << s.issues[0].text;
}

TEST_F(ProfileOnGpu, OnePassCountsTheBytesOfTheVectors) {
  const auto result = profile({"-c", "lite"}, vector_program);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Session s = session();
  ASSERT_EQ(s.launches.size(), 20U);
  for (std::size_t i = 2; i < 20; ++i) {  // the first round finds its inputs partly in L2
    const double read = i % 2 == 0 ? 2 * bytes : bytes;
    EXPECT_NEAR(value(s, "dram__bytes_read.sum", i) / read, 1, 0.01) << "launch " << i;
  }
}

TEST_F(ProfileOnGpu, ReplayedKernelsStillGiveTheProgramItsResult) {
  const auto result = profile({"-c", "default"}, vector_program);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "first sum 3.0\n");
  const Session s = session();
  ASSERT_EQ(s.launches.size(), 20U);
  EXPECT_GT(s.policy.passes, 1);
  // Of one warp's code: nothing that a profiler adds to it may be counted.
  constexpr double warps = elements / 32;
  for (std::size_t i = 0; i < 20; ++i) {
    const bool adds = i % 2 == 0;
    EXPECT_EQ(value(s, "smsp__inst_executed.sum", i), warps * (adds ? 20 : 16)) << i;
    EXPECT_EQ(value(s, "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", i),
              adds ? elements : 0);
    EXPECT_EQ(value(s, "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", i),
              adds ? 0 : elements);
  }
}

// CUPTI goes on counting passes where it was left: none of those that opened the counters may be
// missing in a launch.
TEST_F(ProfileOnGpu, CountersThatWereOpenedWhileTheProgramWorkedOnTheHostAreWhole) {
  const auto result = profile({"-c", "default"}, {RIDGEPOINT_REPLAY_PROGRAM, "pause"});
  ASSERT_EQ(result.exit_code, 0) << result.err << result.out;
  const Session s = session();
  ASSERT_EQ(s.launches.size(), 40U);
  for (const char* counter : {"gpu__time_duration.sum", "lts__t_bytes.sum"}) {
    for (std::size_t i = 0; i < 40; ++i) {
      EXPECT_GT(value(s, counter, i), 0) << counter << " of launch " << i;
    }
  }
  for (std::size_t i = 0; i < 40; ++i) {
    EXPECT_EQ(value(s, "smsp__inst_executed.sum", i), value(s, "smsp__inst_executed.sum", 0));
    EXPECT_EQ(value(s, "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", i), 1 << 20) << i;
  }
}

// The replayed program checks its own memory: accumulating kernels, variables, captures, frees.
TEST_F(ProfileOnGpu, NothingOfAReplayStaysInTheProgramsMemory) {
  for (const char* cache : {"flush", "none", "warm"}) {
    for (const char* part : {"state", "lazy", "alloc", "capture", "host"}) {
      const auto result = profile({"-c", "default", "--force", "--cache-control", cache},
                                  {RIDGEPOINT_REPLAY_PROGRAM, part});
      EXPECT_EQ(result.exit_code, 0) << part << ", " << cache << ": " << result.err << result.out;
    }
  }
}

TEST_F(ProfileOnGpu, GraphsAndWhatIsCapturedIntoThemAreAllAccountedFor) {
  for (const char* level : {"graph", "node"}) {
    const auto result = profile({"-c", "none", "--force", "--graphs", level},
                                {RIDGEPOINT_REPLAY_PROGRAM, "capture"});
    ASSERT_EQ(result.exit_code, 0) << level << ": " << result.err;
    const Session s = session();
    EXPECT_TRUE(std::none_of(s.issues.begin(), s.issues.end(), [](const Issue& issue) {
      return issue.code == "timeline.records_missing";
    })) << level;
    const bool whole = std::any_of(
        s.kernels.begin(), s.kernels.end(),
        [](const KernelInfo& kernel) { return kernel.name.rfind("[CUDA graph", 0) == 0; });
    EXPECT_EQ(whole, level == std::string("graph"));
  }
}

// What the program itself finds is the measure for what the session says of its rounds.
TEST_F(ProfileOnGpu, RoundsOfALoopInAGraphAreAllListedOrTheSessionSaysWhatIsMissing) {
  constexpr std::size_t rounds = 5;
  constexpr std::size_t launches = 3;
  for (const std::string level : {"graph", "node"}) {
    const auto result =
        profile({"-c", "none", "--force", "--graphs", level},
                {RIDGEPOINT_GRAPH_LOOP_PROGRAM, std::to_string(rounds), std::to_string(launches)});
    if (result.out.find("not supported") != std::string::npos) {
      GTEST_SKIP() << "this driver has no conditional nodes: " << result.out;
    }
    ASSERT_EQ(result.exit_code, 0) << result.err << result.out;
    EXPECT_EQ(result.out, "rounds 15 launches 3\n");
    const Session s = session();
    const auto listed = [&](const std::string& kernel) {
      return static_cast<std::size_t>(
          std::count_if(s.launches.begin(), s.launches.end(), [&](const Launch& launch) {
            return s.kernels.at(launch.kernel).name.find(kernel) != std::string::npos;
          }));
    };
    std::map<std::string, std::string> said;
    for (const Issue& issue : s.issues) {
      said[issue.code] = issue.text;
    }
    const std::string of_loops = said["timeline.conditional_graphs"];
    SCOPED_TRACE(level + ", " + std::to_string(listed("one_round")) +
                 " rounds listed: " + of_loops);
    const std::size_t graphs = listed(level == "graph" ? "[CUDA graph" : "before_loop");
    std::cout << "--graphs " << level << ": CUPTI has recorded " << graphs << " of " << launches
              << " launches and " << listed("one_round") << " of " << rounds * launches
              << " rounds\n";
    EXPECT_LE(graphs, launches);
    EXPECT_EQ(said.count("timeline.records_missing"), graphs == launches ? 0U : 1U)
        << said["timeline.records_missing"];
    if (level == "graph") {
      EXPECT_THAT(of_loops, HasSubstr("rounds of its loops are not counted apart"));
      continue;
    }
    EXPECT_EQ(listed("after_loop"), graphs);
    EXPECT_LE(listed("one_round"), rounds * launches);
    EXPECT_THAT(of_loops, HasSubstr(listed("one_round") == 0 ? "none of their rounds is listed"
                                                             : std::to_string(listed("one_round")) +
                                                                   " kernels in them"));
  }
}

TEST_F(ProfileOnGpu, AKernelThatWaitsForALaterOneDelaysTheProgramAndNoMore) {
  const auto result =
      profile({"-c", "default", "--replay-timeout", "1"}, {RIDGEPOINT_REPLAY_PROGRAM, "spin"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Session s = session();
  EXPECT_EQ(s.launches.size(), 2U);
  EXPECT_TRUE(std::any_of(s.issues.begin(), s.issues.end(),
                          [](const Issue& issue) { return issue.code == "replay.waits"; }));
}

TEST_F(ProfileOnGpu, ShortKernelsLeaveNoWritesOfTheRestoreToTheKernel) {
  const std::vector<std::string> small = {RIDGEPOINT_VECTOR_PROGRAM, "1048576", "5"};
  ASSERT_EQ(profile({"-c", "default"}, small).exit_code, 0);
  const Session s = session();
  constexpr double small_bytes = 1048576 * 4;
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_LT(value(s, "dram__bytes_write.sum", i), 65536) << "all 12 MB fit in L2";
    EXPECT_NEAR(value(s, "dram__bytes_read.sum", i), (i % 2 == 0 ? 2 : 1) * small_bytes, 65536);
  }
}

// GCC is where an SM's instruction and constant caches go with what they miss.
TEST_F(ProfileOnGpu, FlushLeavesNoCodeOfAKernelInTheCaches) {
  const std::string code = "lts__t_sectors_srcunit_gcc.sum";
  const std::vector<std::string> small = {RIDGEPOINT_VECTOR_PROGRAM, "1048576", "5"};
  ASSERT_EQ(profile({"-c", code, "--cache-control", "flush"}, small).exit_code, 0);
  const Session cold = session();
  ASSERT_EQ(profile({"-c", code, "--cache-control", "warm", "--force"}, small).exit_code, 0);
  const Session warm = session();
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(value(cold, code, i), value(cold, code, i % 2)) << "the same code, the same misses";
    EXPECT_GT(value(cold, code, i), 2 * value(warm, code, i));
  }
}

// Nothing is read then to push the program's data out: that it comes from DRAM is the driver's
// work.
TEST_F(ProfileOnGpu, InvalidatingL2LeavesNothingOfTheProgramThere) {
  const char* reads = "dram__bytes_read.sum";
  const std::vector<std::string> small = {RIDGEPOINT_VECTOR_PROGRAM, "1048576", "10"};
  ASSERT_EQ(profile({"-c", reads, "--cache-control", "flush"}, small).exit_code, 0);
  const Session s = session();
  if (s.policy.cache_control.find("invalidated") == std::string::npos) {
    GTEST_SKIP() << "the driver of this machine does not empty L2: " << s.policy.cache_control;
  }
  constexpr double small_bytes = 1048576 * 4;
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_NEAR(value(s, reads, i), (i % 2 == 0 ? 2 : 1) * small_bytes, 65536) << i;
  }
}

TEST_F(ProfileOnGpu, FiltersLeaveTheOtherLaunchesAlone) {
  const auto result =
      profile({"-c", "lite", "--nvtx", "^scale$", "--launch-skip", "2", "--launch-count", "3"},
              vector_program);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Session s = session();
  ASSERT_EQ(s.launches.size(), 3U);
  EXPECT_THAT(s.kernels.at(0).name, HasSubstr("scale_vector"));
  EXPECT_GT(value(s, "gpu__time_duration.sum", 0), 0);
}

// The same code runs in every run: what it executes is exact, and its bytes are nearly so.
TEST_F(ProfileOnGpu, RunningTheProgramOncePerPassCountsTheSameInstructions) {
  const auto result = profile({"-c", "default", "--replay", "application"}, vector_program);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Session s = session();
  EXPECT_EQ(s.policy.replay_mode, "application");
  ASSERT_EQ(s.launches.size(), 20U);
  constexpr double warps = elements / 32;
  for (std::size_t i = 2; i < 20; ++i) {
    const bool adds = i % 2 == 0;
    EXPECT_EQ(value(s, "smsp__inst_executed.sum", i), warps * (adds ? 20 : 16)) << i;
    EXPECT_EQ(value(s, "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", i),
              adds ? elements : 0);
    EXPECT_NEAR(value(s, "dram__bytes_read.sum", i) / (adds ? 2 * bytes : bytes), 1, 0.01);
  }
  for (const Issue& issue : s.issues) {
    EXPECT_NE(issue.code, "application.mismatch") << issue.text;
  }
}

TEST_F(ProfileOnGpu, ARangeIsTheSumOfItsKernels) {
  const auto result = profile({"-c",
                               "smsp__inst_executed.sum,dram__bytes_read.sum,"
                               "gpu__time_duration.sum",
                               "--replay", "range", "--nvtx", "^round$"},
                              vector_program);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Session s = session();
  ASSERT_EQ(s.launches.size(), 10U) << "one row a round";
  EXPECT_EQ(s.kernels.at(0).name, "NVTX range: round");
  for (std::size_t i = 1; i < 10; ++i) {
    EXPECT_EQ(value(s, "smsp__inst_executed.sum", i), elements / 32 * (20 + 16)) << i;
    EXPECT_NEAR(value(s, "dram__bytes_read.sum", i) / (3 * bytes), 1, 0.02) << i;
    EXPECT_GT(value(s, "gpu__time_duration.sum", i), 100e3) << "66 and 54 us of kernels";
  }
}

TEST_F(ProfileOnGpu, TimeDecidesWhichKernelsAreCounted) {
  auto result = profile({"-c", "lite", "--top", "1"}, vector_program);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "first sum 3.0\nfirst sum 3.0\n");
  Session s = session();
  ASSERT_EQ(s.launches.size(), 10U);
  EXPECT_THAT(s.kernels.at(0).name, HasSubstr("add_vectors")) << "it moves half as much again";
  result =
      profile({"-c", "lite", "--min-duration", "60", "--force", "--nth", "1-2"}, vector_program);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  s = session();
  EXPECT_EQ(s.launches.size(), 2U) << "scale_vector takes 54 us";
}

TEST_F(ProfileOnGpu, NestedRangesChooseLaunches) {
  const auto result =
      profile({"-c", "lite", "--nvtx", "@^round$/^scale$", "--device", "0"}, vector_program);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(session().launches.size(), 10U);
  EXPECT_EQ(
      profile({"-c", "lite", "--nvtx", "^scale$/^round$", "--force"}, vector_program).exit_code, 2);
}

TEST_F(ProfileOnGpu, StallSamplesNameTheInstructionsThatWaitForMemory) {
  const auto result = profile({"--stalls"}, {RIDGEPOINT_VECTOR_PROGRAM, "16777216", "500"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "first sum 3.0\n");
  const Session s = session();
  EXPECT_EQ(s.launches.size(), 1000U);
  std::map<std::string, std::uint64_t> by_reason;
  std::uint64_t all = 0;
  for (const PcSample& sample : s.pc_samples) {
    by_reason[s.stall_reasons.at(sample.reason)] += sample.samples;
    all += sample.samples;
  }
  EXPECT_GT(all, 1000U);
  EXPECT_GT(by_reason["long_scoreboard"], all / 2) << "adding vectors waits for HBM";
  ASSERT_FALSE(s.instructions.empty()) << "the program is compiled with -lineinfo";
  for (const SampledInstruction& one : s.instructions) {
    if (one.file != no_index) {
      EXPECT_THAT(s.source_files.at(static_cast<std::size_t>(one.file)),
                  HasSubstr("vector_program.cu"));
    }
  }
  EXPECT_TRUE(std::any_of(s.instructions.begin(), s.instructions.end(),
                          [](const SampledInstruction& one) { return one.line > 0; }));
}

// A kernel compiled while the program ran: its samples, what the instructions are, and their lines.
void expect_stalls_by_line(const Session& s, const std::string& kernel_name,
                           const std::string& source_file) {
  const auto is_it = [&](std::uint32_t kernel) {
    return s.kernels.at(kernel).name.find(kernel_name) != std::string::npos;
  };
  std::uint64_t samples = 0;
  for (const PcSample& sample : s.pc_samples) {
    samples += is_it(sample.kernel) ? sample.samples : 0;
  }
  EXPECT_GT(samples, 100U);
  std::size_t instructions = 0;
  bool loads = false;
  bool has_line = false;
  for (const SampledInstruction& one : s.instructions) {
    if (!is_it(one.kernel)) {
      continue;
    }
    ++instructions;
    EXPECT_NE(one.sass, "") << "at " << one.pc_offset;
    loads = loads || one.sass.find("LDG") != std::string::npos;
    has_line =
        has_line || (one.line > 0 && one.file != no_index &&
                     s.source_files.at(static_cast<std::size_t>(one.file)).find(source_file) !=
                         std::string::npos);
  }
  EXPECT_GT(instructions, 0U);
  EXPECT_TRUE(loads) << "the instructions that wait for memory are behind its loads";
  EXPECT_TRUE(has_line);
}

TEST_F(ProfileOnGpu, StallSamplesOfATritonKernelHaveSassAndLines) {
  if (std::system("python3 -c 'import torch, triton; torch.zeros(1).cuda()' > /dev/null 2>&1") !=
      0) {
    GTEST_SKIP() << "no Triton that reaches a GPU";
  }
  const std::string program =
      std::string(RIDGEPOINT_SOURCE_DIR) + "/bench/profile_programs/triton_program.py";
  if (!fs::exists(program)) {
    GTEST_SKIP() << program << " is not on this machine";
  }
  const auto result = profile({"--stalls"}, {"python3", program, "400"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "sums right\n");
  expect_stalls_by_line(session(), "accumulate", "triton_program.py");
}

TEST_F(ProfileOnGpu, StallSamplesOfAnNvrtcKernelHaveSassAndLines) {
  if (std::system("python3 -c 'import cupy; cupy.zeros(1)' > /dev/null 2>&1") != 0) {
    GTEST_SKIP() << "no CuPy that reaches a GPU";
  }
  // CuPy hands the text to NVRTC under a name of its own. No cache: it is compiled in this run.
  std::ofstream(folder / "nvrtc.py") << R"(
import cupy
add = cupy.RawKernel(r"""
extern "C" __global__ void add_at_run_time(const float* x, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] += x[i];
  }
}
""", "add_at_run_time", options=("-lineinfo",))
n = 1 << 24
x = cupy.ones(n, dtype=cupy.float32)
out = cupy.zeros(n, dtype=cupy.float32)
for _ in range(400):
    add((n // 256,), (256,), (x, out, cupy.int32(n)))
print("sum", float(out.min()), float(out.max()))
)";
  setenv("CUPY_CACHE_DIR", (folder / "cache").c_str(), 1);
  const auto result = profile({"--stalls"}, {"python3", (folder / "nvrtc.py").string()});
  unsetenv("CUPY_CACHE_DIR");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "sum 400.0 400.0\n");
  expect_stalls_by_line(session(), "add_at_run_time", "");
}

// Callbacks, counters and CUPTI itself go while other threads launch; the program then ends its
// context and makes another one.
TEST_F(ProfileOnGpu, AProgramWithThreadsGoesOnOnceCuptiIsLeft) {
  for (const char* counters : {"lite", "default"}) {
    for (const std::size_t count : {1U, 40U}) {
      const auto result =
          profile({"-c", counters, "--launch-count", std::to_string(count), "--force"},
                  {RIDGEPOINT_THREADS_PROGRAM});
      ASSERT_EQ(result.exit_code, 0) << counters << result.err;
      EXPECT_EQ(result.out, "before 1 reset 1 after 1 graph 1\n") << counters;
      const Session s = session();
      ASSERT_EQ(s.launches.size(), count) << counters;
      for (std::size_t i = 0; i < count; ++i) {
        EXPECT_GT(value(s, "gpu__time_duration.sum", i), 0) << counters << i;
        EXPECT_GT(s.launches[i].start_ns, 0) << counters << i;
      }
      ASSERT_EQ(s.issues.size(), 1U) << s.issues.back().text;
      EXPECT_EQ(s.issues[0].code, "profile.not_chosen");
    }
  }
}

// Fast enough that callbacks go (launch_detour.h): one thread, a new kernel, four threads, and a
// library with a CUDA runtime of its own.
TEST_F(ProfileOnGpu, EveryLaunchOfAHotLoopIsListedHoweverItIsHeard) {
  constexpr std::size_t launches = 20000;
  for (const char* way : {"auto", "callbacks"}) {
    const auto result = profile({"-c", "none", "--listen", way, "--pass-exit-code", "--force"},
                                {RIDGEPOINT_HOT_LAUNCHES_PROGRAM, std::to_string(launches),
                                 RIDGEPOINT_HOT_LAUNCHES_LIBRARY});
    EXPECT_EQ(result.exit_code, 3) << way << result.err;
    EXPECT_EQ(result.out, "right\n") << way;
    const Session s = session();
    std::map<std::string, std::size_t> counts;
    for (const Launch& launch : s.launches) {
      ++counts[s.kernels.at(launch.kernel).name];
    }
    EXPECT_EQ(counts, (std::map<std::string, std::size_t>{{"first(int*)", 6 * launches},
                                                          {"second(int*)", 100},
                                                          {"from_library(int*)", launches}}))
        << way;
    ASSERT_EQ(s.issues.size(), 1U) << way << s.issues.back().text;
    EXPECT_EQ(s.issues[0].code, "timeline.sampled");
    const bool without_callbacks =
        s.issues[0].text.find("without CUPTI's callbacks") != std::string::npos;
    EXPECT_EQ(without_callbacks, std::string(way) == "auto") << s.issues[0].text;
    std::cout << way << ": " << s.issues[0].text << '\n';
  }
}

// A short program is at its end while the journal is still being begun.
TEST_F(ProfileOnGpu, AProgramThatEndsSoonEndsWell) {
  for (int run = 0; run < 12; ++run) {
    const auto result = profile({"-c", "none", "--pass-exit-code", "--force"},
                                {RIDGEPOINT_HOT_LAUNCHES_PROGRAM, std::to_string(200 << (run / 2)),
                                 RIDGEPOINT_HOT_LAUNCHES_LIBRARY});
    ASSERT_EQ(result.exit_code, 3) << run << result.err;
    EXPECT_EQ(result.out, "right\n");
    EXPECT_EQ(codes_of(session()).count("profile.cut_short"), 0U) << run;
  }
}

// 2^28 floats: a kernel of about a millisecond that does nothing but move them.
TEST_F(ProfileOnGpu, SamplesOverTimeShowALongKernelAtTheLimitOfMemory) {
  const auto result =
      profile({"--pm-sampling=10", "--nth", "2-3"}, {RIDGEPOINT_VECTOR_PROGRAM, "268435456", "3"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "first sum 3.0\n");
  const Session s = session();
  EXPECT_EQ(s.launches.size(), 6U) << "the timeline is whole";
  ASSERT_EQ(s.pm_series.size(), 4U);
  for (const PmSeries& series : s.pm_series) {
    SCOPED_TRACE(s.kernels.at(static_cast<std::size_t>(series.kernel)).name);
    const auto column = [&](const std::string& start) -> const std::vector<double>& {
      const auto found = std::find_if(series.names.begin(), series.names.end(),
                                      [&](const auto& name) { return name.rfind(start, 0) == 0; });
      return series.columns.at(static_cast<std::size_t>(found - series.names.begin()));
    };
    std::vector<std::int64_t> times_ns;
    for (const Launch& launch : s.launches) {
      if (launch.kernel == static_cast<std::uint32_t>(series.kernel)) {
        times_ns.push_back(launch.end_ns - launch.start_ns);
      }
    }
    ASSERT_EQ(times_ns.size(), 3U);
    const std::vector<double>& active = column("sm__cycles_active");
    double busy_s = 0;
    for (std::size_t i = 0; i < active.size(); ++i) {
      const double sample_s = series.end_s[i] - series.start_s[i];
      busy_s += active[i] > 1 && sample_s < 2 * series.interval_s ? sample_s : 0;
    }
    const double launch_s =
        static_cast<double>(times_ns.at(static_cast<std::size_t>(series.nth - 1))) * 1e-9;
    EXPECT_GT(launch_s, 500e-6);
    EXPECT_NEAR(busy_s / launch_s, 1, 0.1);
    const std::vector<double>& read = column("dram__bytes_read");
    // Reading is a half of what scale_vector moves, and writing the other: 28 % on an H200.
    EXPECT_GT(*std::max_element(read.begin(), read.end()), 20) << "percent of the interface's peak";
    const std::vector<double>& tensor = column("TPC.TriageCompute.sm__pipe_tensor");
    EXPECT_LT(*std::max_element(tensor.begin(), tensor.end()), 1);
    EXPECT_FALSE(series.cut_off);
  }
}

// NCCL's kernels wait for each other: whatever is counted, the program must come to its end.
TEST_F(ProfileOnGpu, TwoGpusThatWaitForEachOtherComeToTheirEnd) {
  if (std::system("python3 -c 'import torch, sys; sys.exit(torch.cuda.device_count() < 2)' "
                  "> /dev/null 2>&1") != 0) {
    GTEST_SKIP() << "no PyTorch that reaches two GPUs";
  }
  const std::string program = RIDGEPOINT_TWO_GPUS;
  for (const char* counters : {"lite", "default"}) {
    const auto result = profile({"-c", counters, "--force"}, {"python3", program, "one"});
    ASSERT_EQ(result.exit_code, 0) << counters << result.err;
    EXPECT_THAT(result.out, HasSubstr("sums are right"));
    const Session s = session();
    std::map<std::uint32_t, std::size_t> launches;
    for (const Launch& launch : s.launches) {
      ++launches[launch.device];
    }
    EXPECT_EQ(launches.size(), 2U) << "every launch names its GPU";
  }
}

TEST_F(ProfileOnGpu, PyTorchIsProfiledWithItsRangesAndBackwardKernels) {
  if (std::system("python3 -c 'import torch; torch.zeros(1).cuda()' > /dev/null 2>&1") != 0) {
    GTEST_SKIP() << "no PyTorch that reaches a GPU";
  }
  std::ofstream(folder / "train.py") << R"(
import torch
w = torch.randn(2048, 2048, device="cuda", requires_grad=True)
for step in range(2):
    with torch.cuda.nvtx.range(f"step {step}"):
        (w @ w).square().sum().backward()
torch.cuda.synchronize()
print("done")
)";
  const auto result =
      profile({"-c", "lite", "--nvtx", "^step 1$"}, {"python3", (folder / "train.py").string()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "done\n");
  const Session s = session();
  EXPECT_GE(s.launches.size(), 4U) << "autograd's thread launches inside the range too";
  for (std::size_t i = 0; i < s.launches.size(); ++i) {
    ASSERT_NE(s.launches[i].range, no_index);
    EXPECT_EQ(s.ranges[static_cast<std::size_t>(s.launches[i].range)].name, "step 1");
    EXPECT_GT(value(s, "gpu__time_duration.sum", i), 0);
  }
}

// It maps memory and works on the host between its launches, while the counters are opened.
TEST_F(ProfileOnGpu, JaxHasCountersForEveryLaunch) {
  setenv("XLA_PYTHON_CLIENT_PREALLOCATE", "false", 1);
  if (std::system("python3 -c 'import jax; jax.devices(\"gpu\")' > /dev/null 2>&1") != 0) {
    GTEST_SKIP() << "no JAX that reaches a GPU";
  }
  std::ofstream(folder / "step.py") << R"(
import jax, jax.numpy as jnp
step = jax.jit(lambda a, b: jax.nn.softmax(a @ b, axis=-1))
a = jnp.linspace(-1, 1, 1024 * 1024, dtype=jnp.float32).reshape(1024, 1024)
for _ in range(3):
    a = step(a, a)
print(round(float(a.sum())))
)";
  setenv("XLA_FLAGS", "--xla_gpu_autotune_level=0 --xla_gpu_enable_command_buffer=", 1);
  const auto result = profile({"-c", "default"}, {"python3", (folder / "step.py").string()});
  unsetenv("XLA_FLAGS");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "1024\n");
  const Session s = session();
  ASSERT_GE(s.launches.size(), 6U);
  for (std::size_t i = 0; i < s.launches.size(); ++i) {
    EXPECT_GT(value(s, "gpu__time_duration.sum", i), 0) << s.kernels[s.launches[i].kernel].name;
    EXPECT_GT(value(s, "smsp__inst_executed.sum", i), 0);
  }
}

}  // namespace
}  // namespace ridgepoint
