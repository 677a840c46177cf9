// A libcuda.so.1 for machines without a GPU, as far as replaying kernels asks for it. Memory is the
// host's, streams do their work at once. FAKE_CUDA_FAIL names a function that fails ("cuMemAlloc"),
// with "@N" from its Nth call on, with "@N!" that call alone; FAKE_CUDA_HANG a kernel that, run
// again, does not end: "until restored" or "forever". FAKE_CUDA_SLOW_COPY is "N@MS": the Nth copy
// on the device takes so long.
#include <cuda.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#include "collector/replay/memory_piece.h"
#include "tests/collector/inject/fake_gpu.h"
#include "tests/collector/inject/fake_resource_manager.h"

#pragma GCC visibility push(default)

using ridgepoint::collector::MemoryPiece;
using ridgepoint::test::fake_call_fails;
using ridgepoint::test::fake_gpu;
using ridgepoint::test::fake_latency_cycles;
using ridgepoint::test::fake_setting;

bool ridgepoint::test::fake_call_fails(const std::string& name) {
  static std::map<std::string, int> calls;
  const int call = ++calls[name];
  const char* text = std::getenv("FAKE_CUDA_FAIL");
  for (std::string rest = text == nullptr ? "" : text; !rest.empty();) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    const std::string one = rest.substr(0, end);
    const std::size_t at = one.find('@');
    if (one.substr(0, at) == name &&
        (at == std::string::npos || call == std::atoi(one.c_str() + at + 1) ||
         (one.back() != '!' && call > std::atoi(one.c_str() + at + 1)))) {
      return true;
    }
    rest.erase(0, std::min(end + 1, rest.size()));
  }
  return false;
}

namespace {

CUresult answer(const char* name) {
  return fake_call_fails(name) ? CUDA_ERROR_UNKNOWN : CUDA_SUCCESS;
}

std::chrono::steady_clock::time_point copied_at;

void copy_slowly() {
  static int copies = 0;
  ++copies;
  const char* text = std::getenv("FAKE_CUDA_SLOW_COPY");
  const char* time = text == nullptr ? nullptr : std::strchr(text, '@');
  if (time != nullptr && copies == std::atoi(text)) {
    copied_at = std::chrono::steady_clock::now() + std::chrono::milliseconds(std::atoi(time + 1));
  }
}

void* at(std::uint64_t address) {
  return reinterpret_cast<void*>(address);
}

bool run_own_kernel(const std::string& name, void** arguments) {
  if (name == "ridgepoint_latency") {
    **static_cast<std::uint64_t**>(arguments[1]) = fake_latency_cycles();
    return true;
  }
  const auto* pieces = *static_cast<const MemoryPiece**>(arguments[0]);
  const unsigned count = *static_cast<unsigned*>(arguments[1]);
  for (unsigned p = 0; p < count; ++p) {
    const MemoryPiece& piece = pieces[p];
    if (name == "ridgepoint_compare") {
      if (std::memcmp(at(piece.live), at(piece.saved), piece.bytes) != 0) {
        (*static_cast<unsigned**>(arguments[2]))[p] = 1;
      }
    } else if (name == "ridgepoint_restore") {
      std::memcpy(at(piece.live), at(piece.saved), piece.bytes);
    } else if (name != "ridgepoint_read") {
      return false;
    }
  }
  return true;
}

}  // namespace

extern "C" {

void fake_load_lazily();  // fake_program.cpp

CUresult cuInit(unsigned) {
  return answer("cuInit");
}
CUresult cuDeviceGetCount(int* count) {
  *count = fake_setting("FAKE_CUDA_DEVICES", 1);
  return CUDA_SUCCESS;
}
CUresult cuMemAlloc_v2(CUdeviceptr* address, std::size_t bytes) {
  *address = fake_gpu().allocate(bytes);
  return *address == 0 ? CUDA_ERROR_OUT_OF_MEMORY : answer("cuMemAlloc");
}
CUresult cuMemFree_v2(CUdeviceptr address) {
  fake_gpu().free(address);
  return CUDA_SUCCESS;
}
CUresult cuMemGetInfo_v2(std::size_t* available, std::size_t* total) {
  const int megabytes = fake_setting("FAKE_CUDA_FREE_MB", -1);
  *available = megabytes < 0 ? fake_gpu().room() : static_cast<std::size_t>(megabytes) << 20U;
  *total = std::size_t{141} << 30U;
  return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream) {
  if (answer("cuMemcpyDtoD") != CUDA_SUCCESS) {
    return CUDA_ERROR_UNKNOWN;
  }
  std::memcpy(at(to), at(from), bytes);
  copy_slowly();
  const char* how = std::getenv("FAKE_CUDA_HANG");
  if (fake_gpu().hung && how != nullptr && std::string(how) == "until restored") {
    fake_gpu().hung = false;
  }
  return CUDA_SUCCESS;
}
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, std::size_t bytes, CUstream) {
  std::memcpy(at(to), from, bytes);
  return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, std::size_t bytes, CUstream) {
  std::memcpy(to, at(from), bytes);
  return CUDA_SUCCESS;
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t bytes, CUstream) {
  std::memset(at(to), value, bytes);
  return CUDA_SUCCESS;
}
CUresult cuLaunchKernelEx(const CUlaunchConfig*, CUfunction function, void** arguments, void**) {
  const std::string name = fake_gpu().name(function);
  if (name.rfind("ridgepoint_", 0) == 0) {
    if (answer(name.c_str()) != CUDA_SUCCESS) {
      return CUDA_ERROR_UNKNOWN;
    }
    run_own_kernel(name, arguments);
    fake_gpu().count(0);
    return CUDA_SUCCESS;
  }
  const CUdeviceptr memory = arguments == nullptr ? 0 : *static_cast<CUdeviceptr*>(arguments[0]);
  fake_gpu().run_program_kernel(name, memory);
  fake_gpu().hung = fake_gpu().hung || name == "hang";
  // Its number after the run: that of the launch, when memory was restored to before it.
  fake_gpu().count(memory == 0 ? 0 : static_cast<std::uint32_t>(*static_cast<int*>(at(memory))));
  return CUDA_SUCCESS;
}
CUresult cuModuleLoadData(CUmodule* module, const void*) {
  *module = reinterpret_cast<CUmodule>(&fake_gpu());
  return answer("cuModuleLoadData");
}
CUresult cuLinkCreate_v2(unsigned, CUjit_option*, void**, CUlinkState* link) {
  *link = reinterpret_cast<CUlinkState>(&fake_gpu());
  return answer("cuLinkCreate");
}
CUresult cuLinkAddData_v2(CUlinkState, CUjitInputType, void*, std::size_t, const char*, unsigned,
                          CUjit_option*, void**) {
  return answer("cuLinkAddData");
}
CUresult cuLinkComplete(CUlinkState, void** cubin, std::size_t* bytes) {
  static char code[] = "machine code";
  *cubin = code;
  *bytes = sizeof(code);
  return answer("cuLinkComplete");
}
CUresult cuLinkDestroy(CUlinkState) {
  return CUDA_SUCCESS;
}
CUresult cuFuncLoad(CUfunction) {
  fake_load_lazily();
  return answer("cuFuncLoad");
}
CUresult cuModuleUnload(CUmodule) {
  return CUDA_SUCCESS;
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule, const char* name) {
  *function = fake_gpu().function(name);
  return CUDA_SUCCESS;
}
CUresult cuModuleGetGlobal_v2(CUdeviceptr* address, std::size_t* bytes, CUmodule,
                              const char* name) {
  *address = reinterpret_cast<CUdeviceptr>(&fake_gpu().variable);
  *bytes = sizeof(fake_gpu().variable);
  return std::strcmp(name, "counter") == 0 ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
CUresult cuFuncGetModule(CUmodule* module, CUfunction) {
  *module = reinterpret_cast<CUmodule>(&fake_gpu());
  return CUDA_SUCCESS;
}
// Kernels named "second..." have two, see fake_launch().
CUresult cuFuncGetParamInfo(CUfunction function, std::size_t index, std::size_t* offset,
                            std::size_t* size) {
  const std::size_t count = std::strncmp(fake_gpu().name(function), "second", 6) == 0 ? 2 : 1;
  *offset = index * sizeof(CUdeviceptr);
  *size = sizeof(CUdeviceptr);
  return index < count && fake_gpu().program_memory != 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction) {
  *value = attribute == CU_FUNC_ATTRIBUTE_NUM_REGS ? 40 : 0;
  return CUDA_SUCCESS;
}
CUresult cuStreamGetId(CUstream, unsigned long long* id) {
  *id = 7;
  return CUDA_SUCCESS;
}
CUresult cuKernelGetFunction(CUfunction*, CUkernel) {
  return CUDA_ERROR_INVALID_HANDLE;
}
CUresult cuStreamCreate(CUstream* stream, unsigned) {
  *stream = reinterpret_cast<CUstream>(&fake_gpu());
  return CUDA_SUCCESS;
}
CUresult cuStreamDestroy_v2(CUstream) {
  return CUDA_SUCCESS;
}
CUresult cuStreamIsCapturing(CUstream, CUstreamCaptureStatus* status) {
  *status = fake_gpu().capturing ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_NONE;
  return CUDA_SUCCESS;
}
CUresult cuStreamQuery(CUstream) {
  return ridgepoint::test::fake_setting("FAKE_CUDA_BUSY", 0) != 0 ? CUDA_ERROR_NOT_READY
                                                                  : CUDA_SUCCESS;
}
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode*) {
  return CUDA_SUCCESS;
}
CUresult cuEventCreate(CUevent* event, unsigned) {
  *event = reinterpret_cast<CUevent>(&fake_gpu());
  return CUDA_SUCCESS;
}
CUresult cuEventDestroy_v2(CUevent) {
  return CUDA_SUCCESS;
}
CUresult cuEventRecord(CUevent, CUstream) {
  return CUDA_SUCCESS;
}
CUresult cuCtxRecordEvent(CUcontext, CUevent) {
  return CUDA_SUCCESS;
}
CUresult cuEventQuery(CUevent) {
  return fake_gpu().hung || std::chrono::steady_clock::now() < copied_at ? CUDA_ERROR_NOT_READY
                                                                         : CUDA_SUCCESS;
}
CUresult cuPointerGetAttribute(void* value, CUpointer_attribute attribute, CUdeviceptr address) {
  if (!fake_gpu().is_memory(address)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  *static_cast<unsigned*>(value) =
      attribute != CU_POINTER_ATTRIBUTE_MEMORY_TYPE
          ? 0
          : static_cast<unsigned>(fake_setting("FAKE_CUDA_MEMORY_TYPE", CU_MEMORYTYPE_DEVICE));
  return CUDA_SUCCESS;
}
CUresult cuMemGetAccess(unsigned long long* access, const CUmemLocation*, CUdeviceptr) {
  *access = fake_gpu().mapped_is_accessible ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : 0;
  return CUDA_SUCCESS;
}
// The fake program's pools are those of its first device.
CUresult cuMemPoolGetAccess(CUmemAccess_flags* access, CUmemoryPool, CUmemLocation* place) {
  *access = place->id == 0 ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : CU_MEM_ACCESS_FLAGS_PROT_NONE;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice* device, int) {
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetName(char* name, int bytes, CUdevice) {
  std::strncpy(name, "a GPU that is a fake", static_cast<std::size_t>(bytes));
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice) {
  std::memset(uuid->bytes, 0xAB, sizeof(uuid->bytes));
  return CUDA_SUCCESS;
}
CUresult cuDeviceTotalMem_v2(std::size_t* bytes, CUdevice) {
  *bytes = std::size_t{141} << 30U;
  return CUDA_SUCCESS;
}
CUresult cuDriverGetVersion(int* version) {
  *version = 13000;
  return CUDA_SUCCESS;
}
CUresult cuCtxGetDevice(CUdevice* device) {
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute, CUdevice) {
  *value = 4096;
  return CUDA_SUCCESS;
}
CUresult cuGetErrorName(CUresult, const char** name) {
  *name = "FAKE_CUDA_ERROR";
  return CUDA_SUCCESS;
}

}  // extern "C"
