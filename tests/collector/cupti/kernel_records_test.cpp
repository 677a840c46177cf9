#include "collector/cupti/kernel_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "collector/cupti/cupti_api.h"

namespace ridgepoint::collector {
namespace {

// CUPTI's activity interface, which hands over one buffer of records when it is flushed.
struct FakeActivity {
  CUpti_BuffersCallbackRequestFunc request = nullptr;
  CUpti_BuffersCallbackCompleteFunc complete = nullptr;
  std::vector<CUpti_ActivityKernel10> kernels;
  std::size_t read = 0;
  std::size_t dropped = 0;
  CUptiResult enable = CUPTI_SUCCESS;
  int enabled = 0;
};
FakeActivity fake;

CuptiApi fake_api() {
  CuptiApi api;
  api.cuptiGetResultString = [](CUptiResult, const char** text) {
    *text = "FAKE";
    return CUPTI_SUCCESS;
  };
  api.cuptiActivityRegisterCallbacks = [](CUpti_BuffersCallbackRequestFunc request,
                                          CUpti_BuffersCallbackCompleteFunc complete) {
    fake.request = request;
    fake.complete = complete;
    return CUPTI_SUCCESS;
  };
  api.cuptiActivityEnable = [](CUpti_ActivityKind) {
    ++fake.enabled;
    return fake.enable;
  };
  api.cuptiActivityDisable = [](CUpti_ActivityKind) {
    --fake.enabled;
    return CUPTI_SUCCESS;
  };
  api.cuptiActivityFlushAll = [](std::uint32_t) {
    std::uint8_t* buffer = nullptr;
    std::size_t size = 0;
    std::size_t most = 0;
    fake.request(&buffer, &size, &most);
    const std::size_t valid = fake.kernels.size() * sizeof(CUpti_ActivityKernel10);
    if (valid > 0) {  // an empty vector has no address
      std::memcpy(buffer, fake.kernels.data(), valid);
    }
    fake.read = 0;
    fake.complete(nullptr, 0, buffer, size, valid);
    return CUPTI_SUCCESS;
  };
  api.cuptiActivityGetNextRecord = [](std::uint8_t* buffer, std::size_t valid,
                                      CUpti_Activity** record) {
    const std::size_t offset = fake.read++ * sizeof(CUpti_ActivityKernel10);
    if (offset >= valid) {
      return CUPTI_ERROR_MAX_LIMIT_REACHED;
    }
    *record = reinterpret_cast<CUpti_Activity*>(buffer + offset);
    return CUPTI_SUCCESS;
  };
  api.cuptiActivityGetNumDroppedRecords = [](CUcontext, std::uint32_t, std::size_t* count) {
    *count = fake.dropped;
    return CUPTI_SUCCESS;
  };
  return api;
}

CUpti_ActivityKernel10 kernel(const char* name, std::uint32_t correlation) {
  CUpti_ActivityKernel10 record;
  std::memset(&record, 0, sizeof(record));
  record.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
  record.name = name;
  record.correlationId = correlation;
  record.gridX = 7;
  record.gridY = record.gridZ = 1;
  record.blockX = 128;
  record.blockY = record.blockZ = 1;
  record.registersPerThread = 96;
  record.dynamicSharedMemory = 65536;
  record.start = 1000;
  record.end = 3000;
  return record;
}

class KernelRecordsTest : public ::testing::Test {
 protected:
  void SetUp() override { fake = {}; }
  CuptiApi api = fake_api();
};

TEST_F(KernelRecordsTest, GivesTheLaunchesInOrderWithTheirShape) {
  fake.kernels = {kernel("_Z6secondv", 9), kernel("_Z5firstv", 4)};
  ASSERT_TRUE(start_kernel_records(api));
  const auto records = stop_kernel_records(api);
  ASSERT_TRUE(records) << format_error(records.error());
  ASSERT_EQ(records->records.size(), 2U);
  const KernelRecord& first = records->records[0];
  EXPECT_EQ(first.mangled, "_Z5firstv");
  EXPECT_EQ(count(first.grid), 7U);
  EXPECT_EQ(first.block.x, 128U);
  EXPECT_EQ(count(first.cluster), 1U) << "CUPTI records 0 x 0 x 0 for a launch without clusters";
  EXPECT_EQ(first.registers_per_thread, 96);
  EXPECT_EQ(first.dynamic_smem_bytes, 65536);
  EXPECT_EQ(first.end_ns - first.start_ns, 2000);
  EXPECT_EQ(fake.enabled, 0);
}

TEST_F(KernelRecordsTest, DroppedRecordsAreCounted) {
  fake.dropped = 3;
  ASSERT_TRUE(start_kernel_records(api));
  EXPECT_EQ(stop_kernel_records(api)->dropped, 3U);
}

TEST_F(KernelRecordsTest, EachRecordingStartsEmpty) {
  fake.kernels = {kernel("_Z5firstv", 1)};
  ASSERT_TRUE(start_kernel_records(api));
  ASSERT_EQ(stop_kernel_records(api)->records.size(), 1U);
  fake.kernels.clear();
  ASSERT_TRUE(start_kernel_records(api));
  EXPECT_TRUE(stop_kernel_records(api)->records.empty());
}

TEST_F(KernelRecordsTest, RefusalSurfacesWithItsCode) {
  fake.enable = CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  const Status started = start_kernel_records(api);
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
}

}  // namespace
}  // namespace ridgepoint::collector
