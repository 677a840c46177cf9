// Predictions for an H200 against what an H200 did.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "analyzer/analysis/analyse.h"
#include "analyzer/predict/gpu.h"
#include "analyzer/predict/predict.h"
#include "analyzer/session/session_file.h"
#include "analyzer/traffic/sm_reads.h"

namespace ridgepoint {
namespace {

struct Pair {
  Session session;
  Analysis measured;
  Analysis predicted;
};

class OnH200 : public ::testing::TestWithParam<std::filesystem::path> {
 protected:
  void SetUp() override {
    const auto session = read_session(GetParam());
    ASSERT_TRUE(session) << session.error().why;
    ASSERT_TRUE(session->attention);
    auto measured = analyse(*session);
    ASSERT_TRUE(measured) << measured.error().why;
    auto predicted = predict({session->attention->shape, {}, {}}, find_gpu("H200").value());
    ASSERT_TRUE(predicted) << predicted.error().why;
    pair_ = {*session, std::move(*measured), std::move(*predicted)};
  }

  const VariantAnalysis* predicted(const std::string& name) const {
    const auto& all = pair_.predicted.variants;
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const VariantAnalysis& one) { return one.name == name; });
    return found == all.end() ? nullptr : &*found;
  }

  Pair pair_;
};

TEST_P(OnH200, TheDescriptionIsTheDeviceThatWasRecorded) {
  const DeviceInfo& seen = pair_.session.devices.front();
  const DeviceInfo& described = pair_.predicted.devices.front();
  EXPECT_EQ(seen.name, described.name);
  EXPECT_EQ(seen.chip, described.chip);
  EXPECT_EQ(seen.sm_count, described.sm_count);
  EXPECT_EQ(seen.l2_bytes, described.l2_bytes);
  EXPECT_EQ(seen.memory_bus_bits, described.memory_bus_bits);
  EXPECT_EQ(seen.memory_clock_max_hz, described.memory_clock_max_hz);
  EXPECT_EQ(seen.sm_clock_max_hz, described.sm_clock_max_hz);
  EXPECT_EQ(seen.smem_per_block_bytes, described.smem_per_block_bytes);
  EXPECT_EQ(seen.smem_per_sm_bytes, described.smem_per_sm_bytes);
  EXPECT_EQ(seen.registers_per_sm, described.registers_per_sm);
  EXPECT_EQ(seen.warps_per_sm, described.warps_per_sm);
}

TEST_P(OnH200, NoKernelWasFasterThanItsBound) {
  for (const VariantAnalysis& measured : pair_.measured.variants) {
    const VariantAnalysis* bound = predicted(measured.name);
    if (bound == nullptr) {
      continue;  // a variant without a plan
    }
    ASSERT_TRUE(measured.time_s && bound->time_s) << measured.name;
    EXPECT_GT(*measured.time_s, *bound->time_s) << measured.name;
  }
}

TEST_P(OnH200, BytesAreThoseThatWereCounted) {
  for (const VariantAnalysis& measured : pair_.measured.variants) {
    const VariantAnalysis* model = predicted(measured.name);
    if (model == nullptr) {
      continue;
    }
    const auto ratio = [&](MemoryLevel level) {
      return measured.traffic[level].measured.total.value_or(0) /
             model->traffic[level].predicted.value_or(-1);
    };
    EXPECT_NEAR(ratio(MemoryLevel::hbm), 1.0, 0.10) << measured.name;
    EXPECT_NEAR(ratio(MemoryLevel::l2), 1.0, 0.15) << measured.name;
    EXPECT_NEAR(ratio(MemoryLevel::smem), 1.0, 0.10) << measured.name;
  }
}

// Like with like: the model says what the SMs receive through L2. L2 looks up less, by the lines
// that several of them asked for at once, and the request coalescer's counters say the same; how
// many those are differs from pass to pass.
TEST_P(OnH200, TheSmsReceiveWhatTheModelSaysAndL2LooksUpNoMore) {
  for (const VariantAnalysis& measured : pair_.measured.variants) {
    const VariantAnalysis* model = predicted(measured.name);
    ASSERT_NE(model, nullptr) << measured.name;
    const auto reads = sm_reads(pair_.measured, measured);
    ASSERT_TRUE(reads && model->predicted_sm_reads) << measured.name;
    EXPECT_NEAR(reads->received / *model->predicted_sm_reads, 1.0, 0.15) << measured.name;
    // Backward, the answers to atomics are looked up as well.
    EXPECT_LE(reads->looked_up, 1.02 * reads->received) << measured.name;
    EXPECT_EQ(*measured.predicted_sm_reads, *model->predicted_sm_reads) << measured.name;
  }
  for (const KernelAnalysis& kernel : pair_.measured.kernels) {
    const double from_l2 = kernel.quantity("coalescer_from_l2_bytes").value_or(0);
    const double to_sms = kernel.quantity("coalescer_to_sms_bytes").value_or(0);
    const auto reads = sm_reads(kernel);
    ASSERT_TRUE(reads && reads->received > 0) << kernel.short_name;
    constexpr double enough = 1e6;  // below it, instructions and constants are a part to be seen
    if (reads->received > enough) {
      EXPECT_NEAR(to_sms / reads->received, 1.0, 0.01) << kernel.short_name;
      EXPECT_NEAR((from_l2 - reads->looked_up) / reads->received, 0.0, 0.10) << kernel.short_name;
    }
  }
}

std::vector<std::filesystem::path> recordings() {
  std::vector<std::filesystem::path> all;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(RIDGEPOINT_SOURCE_DIR) / "data/recordings")) {
    if (entry.path().filename().string().rfind("attention-", 0) == 0) {
      all.push_back(entry.path());
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

INSTANTIATE_TEST_SUITE_P(Recordings, OnH200, ::testing::ValuesIn(recordings()),
                         [](const auto& one) {
                           std::string name = one.param.stem().string();
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace ridgepoint
