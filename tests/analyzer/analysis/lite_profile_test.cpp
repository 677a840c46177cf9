// What the one-pass set alone can say: real recordings, cut down to its counters.
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/metrics/counter_map.h"
#include "tests/support/recordings.h"

namespace ridgepoint {
namespace {

const std::string tensor_counter = "sm__ops_path_tensor_";

// The counter whose value a counter of the set has in this recording. No kernel of it uses
// structured sparsity or BF16, so what counts dense products counts all, and BF16 reads 0.
std::string recorded_as(std::string counter) {
  const std::string dense = "_sparsity_off.sum";
  if (counter.size() > dense.size() &&
      counter.compare(counter.size() - dense.size(), dense.size(), dense) == 0) {
    counter.replace(counter.size() - dense.size(), dense.size(), ".sum");
  }
  if (counter.find("bf16") != std::string::npos) {
    return tensor_counter + "src_bf16_dst_fp32.sum";
  }
  if (counter.find("tf32") != std::string::npos && counter.find("peak") == std::string::npos) {
    return tensor_counter + "src_tf32_dst_fp32.sum";
  }
  return counter;
}

Session with_lite_alone(const std::string& name) {
  Session session = test_support::recording(name);
  const CounterTable all = session.counters;
  session.counters = {};
  const CounterMap map = load_counter_map("GH100").value();
  const std::vector<std::string> counters = map.counters("lite").value();
  for (const std::string& counter : counters) {
    const std::vector<double>* column = all.find(counter);
    column = column != nullptr ? column : all.find(recorded_as(counter));
    if (column == nullptr) {
      throw std::runtime_error(counter + " is not in the recording");
    }
    session.counters.column(counter, session.launches.size()) = *column;
  }
  session.pc_samples.clear();
  session.instructions.clear();
  return session;
}

bool is_softmax(const KernelAnalysis& kernel) {
  return kernel.name.find("softmax") != std::string::npos;
}

class LiteProfile : public ::testing::TestWithParam<const char*> {};

TEST_P(LiteProfile, PlacesEveryKernelThatUsesTheTensorCores) {
  const Analysis whole = test_support::analysed(test_support::recording(GetParam()));
  const Analysis lite = test_support::analysed(with_lite_alone(GetParam()));
  ASSERT_EQ(lite.kernels.size(), whole.kernels.size());
  ASSERT_EQ(lite.kernels.size(), 5U);
  for (std::size_t i = 0; i < lite.kernels.size(); ++i) {
    const KernelAnalysis& kernel = lite.kernels[i];
    SCOPED_TRACE(kernel.name);
    if (is_softmax(kernel)) {
      continue;
    }
    for (const MemoryLevel level : memory_levels) {
      EXPECT_TRUE(kernel.intensity[level]);
      EXPECT_TRUE(kernel.utilisation[level]);
    }
    EXPECT_DOUBLE_EQ(kernel.flop.tensor.value(), whole.kernels[i].flop.tensor.value());
    EXPECT_DOUBLE_EQ(kernel.compute_utilisation.value(),
                     whole.kernels[i].compute_utilisation.value());
    EXPECT_EQ(kernel.flop.precision, "tensor_fp16");
    EXPECT_NE(kernel.bound_by, BoundBy::unknown);
  }
}

// Instructions of the CUDA cores are counted by patching the code, which takes a run of its own.
TEST_P(LiteProfile, ListsASoftmaxWithItsBytesAndSaysThatItsFlopAreNotKnown) {
  const Analysis lite = test_support::analysed(with_lite_alone(GetParam()));
  const auto softmax = std::find_if(lite.kernels.begin(), lite.kernels.end(), is_softmax);
  ASSERT_NE(softmax, lite.kernels.end());
  EXPECT_TRUE(softmax->traffic[MemoryLevel::hbm].total);
  EXPECT_GT(softmax->utilisation[MemoryLevel::hbm].value_or(0), 0.5);
  EXPECT_FALSE(softmax->flop.total) << "not counted is not none";
  EXPECT_FALSE(softmax->intensity[MemoryLevel::hbm]);
  EXPECT_TRUE(std::any_of(lite.issues.begin(), lite.issues.end(), [](const Issue& issue) {
    return issue.code == "counters.missing" &&
           issue.text.find("FLOP (1 of 5 kernels)") != std::string::npos;
  }));
}

INSTANTIATE_TEST_SUITE_P(Recordings, LiteProfile,
                         ::testing::Values(test_support::wide_recording,
                                           test_support::batched_recording));

// The same products with BF16 operands: another counter, the same place.
TEST(LiteProfileOfBf16, PlacesMmaSyncAndWarpGroupProducts) {
  Session session = with_lite_alone(test_support::wide_recording);
  const std::size_t rows = session.launches.size();
  for (const auto& [fp16, bf16] :
       {std::pair("op_hgmma_src_fp16.sum", "op_hgmma_src_bf16_dst_fp32_sparsity_off.sum"),
        std::pair("op_hmma_src_fp16_dst_fp32_sparsity_off.sum",
                  "op_hmma_src_bf16_dst_fp32_sparsity_off.sum")}) {
    std::vector<double>& from = session.counters.column(tensor_counter + fp16, rows);
    const std::vector<double> counted = from;
    std::fill(from.begin(), from.end(), 0.0);
    session.counters.column(tensor_counter + bf16, rows) = counted;
  }
  const Analysis lite = test_support::analysed(session);
  for (const KernelAnalysis& kernel : lite.kernels) {
    SCOPED_TRACE(kernel.name);
    EXPECT_EQ(kernel.intensity[MemoryLevel::hbm].has_value(), !is_softmax(kernel));
    EXPECT_EQ(kernel.flop.precision, is_softmax(kernel) ? "" : "tensor_bf16");
  }
}

}  // namespace
}  // namespace ridgepoint
