// What a program's calls are, seen from CUPTI: injection_host.cpp makes them by these functions,
// which are not part of CUPTI.
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "collector/inject/launch_parameters.h"
#include "tests/collector/inject/fake_cupti_state.h"

#pragma GCC visibility push(default)

using ridgepoint::test::add_record;
using ridgepoint::test::call_back;
using ridgepoint::test::context_of;
using ridgepoint::test::driver_call;
using ridgepoint::test::fake;
using ridgepoint::test::fake_gpu;
using ridgepoint::test::fake_setting;
using ridgepoint::test::mutex;

extern "C" void fake_load_lazily();

namespace {

// cuLaunchKernel() with all that CUPTI does around it.
CUresult launch_plainly(CUfunction function, unsigned blocks, bool succeeds) {
  std::uint32_t correlation = 0;
  std::int64_t grid = 0;
  {
    const std::lock_guard<std::mutex> lock(mutex());
    correlation = ++fake().launches;
    grid = fake_gpu().capturing ? 0 : ++fake().grids;
  }
  const char* name = fake_gpu().name(function);
  ridgepoint::collector::LaunchKernelPlainParameters parameters = {};
  CUdeviceptr memory = fake_gpu().program_memory;
  // Of kernels named "second...": memory that is not the program's. Ridgepoint's own, as on a stack
  // that its code has used before, or, with "_foreign" in the name, somebody else's.
  CUdeviceptr second =
      std::strstr(name, "_foreign") == nullptr ? fake_gpu().newest_memory : fake_gpu().allocate(64);
  void* arguments[] = {&memory, &second};
  parameters.f = function;
  parameters.gridDimX = blocks;
  parameters.gridDimY = parameters.gridDimZ = 1;
  parameters.blockDimX = 128;
  parameters.blockDimY = parameters.blockDimZ = 1;
  parameters.kernelParams = arguments;
  CUresult result = succeeds ? CUDA_SUCCESS : CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  constexpr auto id = CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel;
  call_back(id, CUPTI_API_ENTER, correlation, name, &parameters, result);
  fake_load_lazily();
  fake_gpu().pass_time(name);
  if (succeeds && !fake_gpu().capturing) {
    const std::lock_guard<std::mutex> lock(mutex());
    CUpti_ActivityKernel10 record;
    std::memset(&record, 0, sizeof(record));
    record.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    record.name = name;
    record.correlationId = correlation;
    record.gridId = grid;
    record.gridX = static_cast<std::int32_t>(blocks);
    record.deviceId = static_cast<std::uint32_t>(fake_gpu().device);
    record.gridY = record.gridZ = 1;
    record.blockX = 128;
    record.blockY = record.blockZ = 1;
    record.registersPerThread = 40;
    record.streamId = 7;
    record.start = 1000 * correlation;
    record.end = record.start + (std::strncmp(name, "slow", 4) == 0 ? 50000 : 500);
    if (static_cast<int>(correlation) != fake_setting("FAKE_CUPTI_LOSE_RECORD", 0) &&
        fake().kinds.count(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) != 0) {
      fake().records.push_back(record);
    }
    fake_gpu().run_program_kernel(name, memory);
    // Kernels of two GPUs: one that waits, and the one that it waits for.
    fake_gpu().hung =
        (fake_gpu().hung || std::strcmp(name, "waits") == 0) && std::strcmp(name, "frees") != 0;
    fake_gpu().count(correlation);
    fake_gpu().sample(name);
    fake_gpu().sample_over_time(correlation);
  }
  call_back(id, CUPTI_API_EXIT, correlation, name, &parameters, result);
  return result;
}

}  // namespace

extern "C" {

void fake_alloc(int bytes) {
  struct {
    CUdeviceptr* address;
    std::size_t bytes;
  } parameters = {&fake_gpu().program_memory, static_cast<std::size_t>(bytes)};
  driver_call(CUPTI_DRIVER_TRACE_CBID_cuMemAlloc_v2, parameters,
              [&] { fake_gpu().program_memory = fake_gpu().allocate(parameters.bytes); });
}
void fake_free() {
  struct {
    CUdeviceptr address;
  } parameters = {fake_gpu().program_memory};
  driver_call(CUPTI_DRIVER_TRACE_CBID_cuMemFree_v2, parameters, [&] {
    fake_gpu().free(parameters.address);
    fake_gpu().program_memory = 0;
  });
}
void fake_freenothing() {
  struct {
    CUdeviceptr address = 0;
  } parameters;
  driver_call(CUPTI_DRIVER_TRACE_CBID_cuMemFree_v2, parameters, [] {});
}
// Allocates memory and frees it again; what the program is told.
int fake_borrow(int megabytes) {
  CUdeviceptr address = 0;
  struct {
    CUdeviceptr* address;
    std::size_t bytes;
  } parameters = {&address, static_cast<std::size_t>(megabytes) << 20U};
  constexpr auto id = CUPTI_DRIVER_TRACE_CBID_cuMemAlloc_v2;
  CUresult result = CUDA_SUCCESS;
  call_back(id, CUPTI_API_ENTER, 0, nullptr, &parameters, result);
  address = fake_gpu().allocate(parameters.bytes);
  result = address != 0 ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
  call_back(id, CUPTI_API_EXIT, 0, nullptr, &parameters, result);
  if (address != 0) {
    struct {
      CUdeviceptr address;
    } freed = {address};
    driver_call(CUPTI_DRIVER_TRACE_CBID_cuMemFree_v2, freed,
                [&] { fake_gpu().free(freed.address); });
  }
  return result;
}
void fake_device(int device) {
  fake_gpu().device = device;
}
void fake_grid(int blocks) {
  fake().grid = static_cast<std::uint32_t>(blocks);
}
void fake_getaddress() {
  driver_call(CUPTI_DRIVER_TRACE_CBID_cuGetProcAddress_v2, 0, [] {});
}
void fake_unload() {
  driver_call(CUPTI_DRIVER_TRACE_CBID_cuModuleUnload, 0, [] {});
}
void fake_share() {
  driver_call(CUPTI_DRIVER_TRACE_CBID_cuIpcGetMemHandle, 0, [] {});
}
void fake_peers() {
  driver_call(CUPTI_DRIVER_TRACE_CBID_cuCtxEnablePeerAccess, 0, [] {});
}
// Lets a device reach what the program allocated last.
void fake_grant(int device) {
  CUmemAccessDesc who = {};
  who.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  who.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  struct {
    CUdeviceptr address;
    std::size_t bytes;
    const CUmemAccessDesc* who;
    std::size_t count;
  } parameters = {fake_gpu().program_memory, 64, &who, 1};
  driver_call(CUPTI_DRIVER_TRACE_CBID_cuMemSetAccess, parameters, [] {});
}
// Lets a device reach what comes from a pool of the first one.
void fake_opened(int device) {
  CUmemAccessDesc who = {};
  who.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  who.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  struct {
    CUmemoryPool pool = nullptr;
    const CUmemAccessDesc* who;
    std::size_t count = 1;
  } parameters = {nullptr, &who};
  driver_call(CUPTI_DRIVER_TRACE_CBID_cuMemPoolSetAccess, parameters, [] {});
}
void fake_capture(int begins) {
  driver_call(begins != 0 ? CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2
                          : CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture,
              0, [&] { fake_gpu().capturing = begins != 0; });
}
// The end of a capture that fails: one that is void ends all the same, others go on.
void fake_failend(int code) {
  const auto result = static_cast<CUresult>(code);
  driver_call(
      CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture, 0,
      [&] {
        fake_gpu().capturing =
            fake_gpu().capturing && result != CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
      },
      result);
}
void fake_context() {
  CUpti_ResourceData data = {};
  data.context = context_of(fake_gpu().device);
  if (fake().callback != nullptr) {
    fake().callback(fake().user, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_CONTEXT_CREATED,
                    &data);
  }
}
// The file's content is what the driver loads.
void fake_module(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::string code((std::istreambuf_iterator<char>(file)), {});
  CUpti_ModuleResourceData module = {};
  module.pCubin = code.data();
  module.cubinSize = code.size();
  CUpti_ResourceData data = {};
  data.context = reinterpret_cast<CUcontext>(&fake());
  data.resourceDescriptor = &module;
  if (fake().callback != nullptr) {
    fake().callback(fake().user, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED,
                    &data);
  }
  fake_gpu().cubin_crc = code.size();  // the fake's checksum
}
// As CUDA_MODULE_LOADING=LAZY, the default: code comes with its first launch, or when it is asked
// for.
void fake_load_lazily() {
  if (const char* lazy = std::getenv("FAKE_CUPTI_LAZY_MODULE"); lazy != nullptr) {
    fake_module(lazy);
  }
}
// Maps memory to an address, once, and grants access to it.
void fake_map(int bytes) {
  struct {
    CUdeviceptr address;
    std::size_t bytes;
    const CUmemAccessDesc* who = nullptr;
    std::size_t count = 0;
  } parameters = {fake_gpu().mapped_memory, static_cast<std::size_t>(bytes)};
  if (fake_gpu().mapped_memory == 0) {
    fake_gpu().mapped_memory = parameters.address = fake_gpu().allocate(parameters.bytes);
    driver_call(CUPTI_DRIVER_TRACE_CBID_cuMemMap, parameters, [] {});
  }
  driver_call(CUPTI_DRIVER_TRACE_CBID_cuMemSetAccess, parameters,
              [] { fake_gpu().mapped_is_accessible = true; });
}
int fake_counter() {
  return static_cast<int>(fake_gpu().variable);
}
// Of the range profiler, of all images.
int fake_passes() {
  return fake_gpu().counting[fake_gpu().device].all_passes;
}
int fake_value() {
  return fake_gpu().program_memory == 0 ? -1 : *reinterpret_cast<int*>(fake_gpu().program_memory);
}

void fake_launch(const char* mangled, int succeeds) {
  CUfunction function = nullptr;
  {
    const std::lock_guard<std::mutex> lock(mutex());
    function = fake_gpu().function(mangled);
  }
  launch_plainly(function, fake().grid, succeeds != 0);
}

// By the driver's own functions, which the program finds for itself.
CUfunction fake_function(const char* mangled) {
  const std::lock_guard<std::mutex> lock(mutex());
  return fake_gpu().function(mangled);
}
CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned, unsigned, unsigned,
                        unsigned, unsigned, unsigned, CUstream, void**, void**) {
  return launch_plainly(function, grid_x, grid_x != 0);
}
CUresult cuLaunchKernel_ptsz(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                             unsigned, CUstream, void**, void**) {
  return CUDA_ERROR_NOT_SUPPORTED;  // no test needs it
}
CUresult cuLaunchKernelEx_ptsz(const CUlaunchConfig*, CUfunction, void**, void**) {
  return CUDA_ERROR_NOT_SUPPORTED;
}

// Kernels that run without a call of the program.
void fake_unheard(int count) {
  const std::lock_guard<std::mutex> lock(mutex());
  fake().grids += count;
}

void fake_copy() {
  driver_call(CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoDAsync_v2, 0, [] {
    const std::lock_guard<std::mutex> lock(mutex());
    if (fake().kinds.count(CUPTI_ACTIVITY_KIND_MEMCPY) != 0) {
      CUpti_ActivityMemcpy6 copy = {};
      copy.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
      copy.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_DTOD;
      copy.deviceId = static_cast<std::uint32_t>(fake_gpu().device);
      copy.bytes = 4096;
      copy.start = 1000 * ++fake().launches;
      copy.end = copy.start + 200;
      add_record(copy);
    }
  });
}

int fake_heard() {
  const std::lock_guard<std::mutex> lock(mutex());
  return static_cast<int>(fake().heard.size() + fake().kinds.size());
}

}  // extern "C"
