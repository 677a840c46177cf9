#include "analyzer/predict/gpu.h"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "analyzer/predict/predict.h"

namespace ridgepoint {
namespace {

using ::testing::HasSubstr;
using ::testing::Key;

std::string shipped(const std::string& file) {
  std::ifstream in(std::string(RIDGEPOINT_SOURCE_DIR) + "/data/gpus/" + file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(Gpus, EveryShippedDescriptionNamesTheSourceOfItsFigures) {
  const auto gpus = load_gpus();
  ASSERT_TRUE(gpus) << gpus.error().why;
  EXPECT_GE(gpus->size(), 6U);
  for (const GpuDescription& gpu : *gpus) {
    for (const char* figure : {"sm_count", "sm_clock_max_hz", "memory", "l2_bytes", "limits"}) {
      EXPECT_THAT(gpu.sources, ::testing::Contains(Key(figure))) << gpu.key;
    }
  }
}

struct Published {
  const char* gpu;
  const char* roof;
  double value;
};
class PublishedRoofs : public ::testing::TestWithParam<Published> {};

// Bandwidths of the products' data sheets; FLOP rates at their boost clocks, dense.
TEST_P(PublishedRoofs, FollowFromTheDescription) {
  const Published& published = GetParam();
  const auto gpu = find_gpu(published.gpu);
  ASSERT_TRUE(gpu) << gpu.error().why;
  for (const Ceiling& ceiling : ceilings_of(*gpu)) {
    if (ceiling.id == published.roof) {
      EXPECT_NEAR(*ceiling.theoretical / published.value, 1.0, 0.01);
      return;
    }
  }
  FAIL() << "no such roof";
}

INSTANTIATE_TEST_SUITE_P(
    DataSheets, PublishedRoofs,
    ::testing::Values(Published{"A100", "hbm", 2.039e12}, Published{"A100", "tensor_fp16", 312e12},
                      Published{"H100", "hbm", 3.35e12}, Published{"H200", "hbm", 4.8e12},
                      Published{"B200", "hbm", 8e12}, Published{"L40S", "hbm", 864e9},
                      Published{"L40S", "tensor_fp16", 366.4e12},
                      Published{"RTX4090", "hbm", 1008e9},
                      Published{"RTX4090", "tensor_fp16", 165.2e12}));

TEST(Gpus, AreFoundInAnyCaseOrByPath) {
  EXPECT_EQ(find_gpu("rtx4090")->key, "RTX4090");
  EXPECT_EQ(find_gpu(std::string(RIDGEPOINT_SOURCE_DIR) + "/data/gpus/h200.json")->key, "H200");
}

TEST(Gpus, AnUnknownNameIsAUsageErrorThatListsTheKnown) {
  const auto gpu = find_gpu("H300");
  ASSERT_FALSE(gpu);
  EXPECT_EQ(gpu.error().domain, ErrorDomain::usage);
  EXPECT_THAT(gpu.error().hint, HasSubstr("H200"));
}

class DamagedGpu : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(DamagedGpu, IsAnInputError) {
  std::string text = shipped("h200.json");
  const auto [from, to] = GetParam();
  const auto at = text.find(from);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, std::string(from).size(), to);
  const auto gpu = parse_gpu(text, "test");
  ASSERT_FALSE(gpu);
  EXPECT_EQ(gpu.error().domain, ErrorDomain::input);
}

INSTANTIATE_TEST_SUITE_P(Fields, DamagedGpu,
                         ::testing::Values(std::pair("ridgepoint-gpu", "something"),
                                           std::pair("\"sm_count\": 132", "\"sm_count\": 0"),
                                           std::pair("\"sm_count\": 132", "\"sm_count\": -5"),
                                           std::pair("\"sm_count\": 132", "\"sm_count\": 1e300"),
                                           std::pair("\"sm_count\": 132", "\"sm_count\": \"many\""),
                                           std::pair("\"sm_count\": 132,", ""),
                                           std::pair("GH100", "XX999"),
                                           std::pair("\"limits\"", "\"limit\""),
                                           std::pair("{", "[")));

// The JSON library says "type must be number, but is string", and not of what.
TEST(Gpus, AFaultNamesItsFieldAndAnExampleToGoBy) {
  const auto fault_of = [](const std::string& from, const std::string& to) {
    std::string text = shipped("h200.json");
    text.replace(text.find(from), from.size(), to);
    const auto gpu = parse_gpu(text, "my.json");
    EXPECT_FALSE(gpu) << to;
    return gpu ? Error() : gpu.error();
  };
  EXPECT_THAT(fault_of("\"sm_count\": 132", "\"sm_count\": \"132\"").why,
              HasSubstr("sm_count must"));
  EXPECT_EQ(fault_of("\"sm_count\": 132,", "").why, "it has no \"sm_count\"");
  EXPECT_EQ(fault_of("\"name\": \"NVIDIA H200\"", "\"name\": 200").why, "name must be a text");
  EXPECT_EQ(fault_of("\"l2_peak\": {", "\"l2_peak\": 3, \"unused\": {").why,
            "l2_peak must be an object");
  EXPECT_THAT(fault_of("{", "").hint, HasSubstr("h200.json"));
}

TEST(Gpus, NestingThatACopyWouldFollowIntoTheStackIsRefused) {
  std::string text = shipped("h200.json");
  const std::string deep = R"("flop_per_clock_per_sm": {"x": )" + std::string(400000, '[') +
                           std::string(400000, ']') + "}, ";
  text.insert(text.find('"'), deep);
  const auto gpu = parse_gpu(text, "deep.json");
  ASSERT_FALSE(gpu);
  EXPECT_EQ(gpu.error().why, "its JSON is nested too deeply");
}

TEST(Gpus, AFigureBeyondAnyGpuIsRefused) {
  std::string text = shipped("h200.json");
  const std::size_t at = text.find('[', text.find("\"compute_capability\"")) + 1;
  text.insert(at, "1e300, 9], \"unused\": [");
  const auto gpu = parse_gpu(text, "large.json");
  ASSERT_FALSE(gpu);
  EXPECT_THAT(gpu.error().why, HasSubstr("compute_capability must be two small whole numbers"));
}

}  // namespace
}  // namespace ridgepoint
