#include "collector/replay/memory_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collector/cupti/cupti_api.h"

namespace ridgepoint::collector {
namespace {

using Kind = MemoryCall::Kind;

TEST(MemoryCalls, AnAllocationHasItsAddressOnceItHasReturned) {
  CUdeviceptr address = 0x7000;
  struct {
    CUdeviceptr* address;
    std::size_t bytes;
  } parameters = {&address, 4096};
  const auto before = memory_call(CUPTI_DRIVER_TRACE_CBID_cuMemAlloc_v2, &parameters, false);
  ASSERT_TRUE(before);
  EXPECT_EQ(before->kind, Kind::allocates);
  EXPECT_EQ(before->address, 0U);
  EXPECT_EQ(before->bytes, 4096U);
  EXPECT_EQ(memory_call(CUPTI_DRIVER_TRACE_CBID_cuMemAllocAsync, &parameters, true)->address,
            0x7000U);
}

TEST(MemoryCalls, APitchedAllocationIsAsLargeAsItsPitchSays) {
  CUdeviceptr address = 0x7000;
  std::size_t pitch = 512;
  struct {
    CUdeviceptr* address;
    std::size_t* pitch;
    std::size_t width;
    std::size_t height;
  } parameters = {&address, &pitch, 300, 10};
  EXPECT_EQ(memory_call(CUPTI_DRIVER_TRACE_CBID_cuMemAllocPitch_v2, &parameters, true)->bytes,
            5120U);
}

// Its launches may be what the host waits for.
TEST(MemoryCalls, AStreamThatIsMadeToWaitForTheHostIsKnown) {
  for (const std::uint32_t id :
       {CUPTI_DRIVER_TRACE_CBID_cuLaunchHostFunc, CUPTI_DRIVER_TRACE_CBID_cuStreamWaitValue32_v2,
        CUPTI_DRIVER_TRACE_CBID_cuStreamBatchMemOp_v2_ptsz}) {
    const auto call = memory_call(id, nullptr, false);
    ASSERT_TRUE(call) << id;
    EXPECT_EQ(call->kind, Kind::awaits_host);
  }
}

TEST(MemoryCalls, MappedMemoryIsMarkedAndUnmappedByRange) {
  struct {
    CUdeviceptr address;
    std::size_t bytes;
  } parameters = {0x200000, 0x400000};
  const auto mapped = memory_call(CUPTI_DRIVER_TRACE_CBID_cuMemMap, &parameters, true);
  EXPECT_TRUE(mapped->mapped);
  EXPECT_EQ(mapped->address, 0x200000U);
  const auto unmapped = memory_call(CUPTI_DRIVER_TRACE_CBID_cuMemUnmap, &parameters, false);
  EXPECT_EQ(unmapped->kind, Kind::releases);
  EXPECT_EQ(unmapped->bytes, 0x400000U);
}

TEST(MemoryCalls, AChangeOfAccessHasItsRangeAndUnloadingHasNone) {
  struct {
    CUdeviceptr address;
    std::size_t bytes;
    const CUmemAccessDesc* who;
    std::size_t count;
  } parameters = {0x200000, 0x400000, nullptr, 0};
  const auto access = memory_call(CUPTI_DRIVER_TRACE_CBID_cuMemSetAccess, &parameters, false);
  EXPECT_EQ(access->kind, Kind::protects);
  EXPECT_EQ(access->address, 0x200000U);
  EXPECT_EQ(access->bytes, 0x400000U);
  const auto unload = memory_call(CUPTI_DRIVER_TRACE_CBID_cuModuleUnload, &parameters, false);
  EXPECT_EQ(unload->kind, Kind::protects);
  EXPECT_EQ(unload->bytes, 0U);
}

TEST(MemoryCalls, AChangeOfAccessNamesTheDevicesThatGetIt) {
  CUmemAccessDesc who[3] = {};
  for (int device = 0; device < 3; ++device) {
    who[device].location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
    who[device].flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  }
  who[1].flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
  struct {
    CUdeviceptr address;
    std::size_t bytes;
    const CUmemAccessDesc* who;
    std::size_t count;
  } parameters = {0x200000, 0x400000, who, 3};
  EXPECT_THAT(memory_call(CUPTI_DRIVER_TRACE_CBID_cuMemSetAccess, &parameters, false)->devices,
              ::testing::ElementsAre(0, 2));
}

TEST(MemoryCalls, AnAccessToAPoolNamesThePoolAndTheDevicesThatGetIt) {
  CUmemAccessDesc who[3] = {};
  for (int device = 0; device < 3; ++device) {
    who[device].location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
    who[device].flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  }
  who[1].flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
  who[2].location.type = CU_MEM_LOCATION_TYPE_HOST;
  int pool = 0;
  struct {
    CUmemoryPool pool;
    const CUmemAccessDesc* who;
    std::size_t count;
  } parameters = {reinterpret_cast<CUmemoryPool>(&pool), who, 3};
  const auto call = memory_call(CUPTI_DRIVER_TRACE_CBID_cuMemPoolSetAccess, &parameters, false);
  EXPECT_EQ(call->kind, Kind::opens_pool);
  EXPECT_EQ(call->pool, parameters.pool);
  EXPECT_THAT(call->devices, ::testing::ElementsAre(0));
}

TEST(MemoryCalls, EveryCallThatIsWatchedIsUnderstood) {
  const std::uint64_t parameters[8] = {};
  CUdeviceptr address = 0;
  std::uint64_t with_pointer[8] = {};
  with_pointer[0] = reinterpret_cast<std::uint64_t>(&address);
  for (const std::uint32_t id : memory_call_ids()) {
    EXPECT_TRUE(memory_call(id, parameters, false)) << id;
    EXPECT_TRUE(memory_call(id, with_pointer, true)) << id;
  }
  EXPECT_FALSE(memory_call(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, parameters, false));
}

TEST(MemoryCalls, SharingAndCapturesAreTold) {
  EXPECT_EQ(memory_call(CUPTI_DRIVER_TRACE_CBID_cuIpcOpenMemHandle_v2, nullptr, false)->kind,
            Kind::shares);
  EXPECT_EQ(memory_call(CUPTI_DRIVER_TRACE_CBID_cuCtxEnablePeerAccess, nullptr, false)->kind,
            Kind::reaches_peers);
  EXPECT_EQ(memory_call(CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2, nullptr, false)->kind,
            Kind::begins_capture);
  EXPECT_EQ(memory_call(CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture, nullptr, true)->kind,
            Kind::ends_capture);
  EXPECT_EQ(memory_call(CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoDAsync_v2, nullptr, false)->kind,
            Kind::moves);
}

}  // namespace
}  // namespace ridgepoint::collector
