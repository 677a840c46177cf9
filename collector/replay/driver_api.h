// The CUDA driver's functions that replaying and looking into graphs need, as a struct of pointers:
// the library inside the profiled program takes them from the libcuda that the program has loaded,
// tests from a fake.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <type_traits>

#include "analyzer/core/error.h"

namespace ridgepoint::collector {

// Field, symbol (what cuda.h's macro of the field's name stands for), type.
#define RIDGEPOINT_DRIVER_FUNCTIONS(X)                                                             \
  X(mem_alloc, "cuMemAlloc_v2", CUresult (*)(CUdeviceptr*, std::size_t))                           \
  X(mem_free, "cuMemFree_v2", CUresult (*)(CUdeviceptr))                                           \
  X(mem_info, "cuMemGetInfo_v2", CUresult (*)(std::size_t*, std::size_t*))                         \
  X(copy_on_device, "cuMemcpyDtoDAsync_v2",                                                        \
    CUresult (*)(CUdeviceptr, CUdeviceptr, std::size_t, CUstream))                                 \
  X(copy_to_device, "cuMemcpyHtoDAsync_v2",                                                        \
    CUresult (*)(CUdeviceptr, const void*, std::size_t, CUstream))                                 \
  X(copy_to_host, "cuMemcpyDtoHAsync_v2", CUresult (*)(void*, CUdeviceptr, std::size_t, CUstream)) \
  X(fill, "cuMemsetD8Async", CUresult (*)(CUdeviceptr, unsigned char, std::size_t, CUstream))      \
  X(launch, "cuLaunchKernelEx", CUresult (*)(const CUlaunchConfig*, CUfunction, void**, void**))   \
  X(module_load, "cuModuleLoadData", CUresult (*)(CUmodule*, const void*))                         \
  X(module_unload, "cuModuleUnload", CUresult (*)(CUmodule))                                       \
  X(module_function, "cuModuleGetFunction", CUresult (*)(CUfunction*, CUmodule, const char*))      \
  X(link_create, "cuLinkCreate_v2", CUresult (*)(unsigned, CUjit_option*, void**, CUlinkState*))   \
  X(link_add, "cuLinkAddData_v2",                                                                  \
    CUresult (*)(CUlinkState, CUjitInputType, void*, std::size_t, const char*, unsigned,           \
                 CUjit_option*, void**))                                                           \
  X(link_complete, "cuLinkComplete", CUresult (*)(CUlinkState, void**, std::size_t*))              \
  X(link_destroy, "cuLinkDestroy", CUresult (*)(CUlinkState))                                      \
  X(function_load, "cuFuncLoad", CUresult (*)(CUfunction))                                         \
  X(module_global, "cuModuleGetGlobal_v2",                                                         \
    CUresult (*)(CUdeviceptr*, std::size_t*, CUmodule, const char*))                               \
  X(function_module, "cuFuncGetModule", CUresult (*)(CUmodule*, CUfunction))                       \
  X(function_parameter, "cuFuncGetParamInfo",                                                      \
    CUresult (*)(CUfunction, std::size_t, std::size_t*, std::size_t*))                             \
  X(function_attribute, "cuFuncGetAttribute",                                                      \
    CUresult (*)(int*, CUfunction_attribute, CUfunction))                                          \
  X(stream_id, "cuStreamGetId", CUresult (*)(CUstream, unsigned long long*))                       \
  X(kernel_function, "cuKernelGetFunction", CUresult (*)(CUfunction*, CUkernel))                   \
  X(stream_create, "cuStreamCreate", CUresult (*)(CUstream*, unsigned))                            \
  X(stream_destroy, "cuStreamDestroy_v2", CUresult (*)(CUstream))                                  \
  X(stream_query, "cuStreamQuery", CUresult (*)(CUstream))                                         \
  X(stream_capturing, "cuStreamIsCapturing", CUresult (*)(CUstream, CUstreamCaptureStatus*))       \
  X(capture_mode, "cuThreadExchangeStreamCaptureMode", CUresult (*)(CUstreamCaptureMode*))         \
  X(event_create, "cuEventCreate", CUresult (*)(CUevent*, unsigned))                               \
  X(event_destroy, "cuEventDestroy_v2", CUresult (*)(CUevent))                                     \
  X(event_record, "cuEventRecord", CUresult (*)(CUevent, CUstream))                                \
  X(context_record_event, "cuCtxRecordEvent", CUresult (*)(CUcontext, CUevent))                    \
  X(event_query, "cuEventQuery", CUresult (*)(CUevent))                                            \
  X(pointer_attribute, "cuPointerGetAttribute",                                                    \
    CUresult (*)(void*, CUpointer_attribute, CUdeviceptr))                                         \
  X(memory_access, "cuMemGetAccess",                                                               \
    CUresult (*)(unsigned long long*, const CUmemLocation*, CUdeviceptr))                          \
  X(pool_access, "cuMemPoolGetAccess",                                                             \
    CUresult (*)(CUmemAccess_flags*, CUmemoryPool, CUmemLocation*))                                \
  X(context_device, "cuCtxGetDevice", CUresult (*)(CUdevice*))                                     \
  X(device_attribute, "cuDeviceGetAttribute", CUresult (*)(int*, CUdevice_attribute, CUdevice))    \
  X(device_uuid, "cuDeviceGetUuid_v2", CUresult (*)(CUuuid*, CUdevice))                            \
  X(graph_nodes, "cuGraphGetNodes", CUresult (*)(CUgraph, CUgraphNode*, std::size_t*))             \
  X(graph_node_type, "cuGraphNodeGetType", CUresult (*)(CUgraphNode, CUgraphNodeType*))            \
  X(child_graph, "cuGraphChildGraphNodeGetGraph", CUresult (*)(CUgraphNode, CUgraph*))             \
  X(error_name, "cuGetErrorName", CUresult (*)(CUresult, const char**))

struct DriverApi {
#define RIDGEPOINT_DRIVER_FIELD(field, symbol, ...) \
  std::add_pointer_t<std::remove_pointer_t<__VA_ARGS__>> field = nullptr;
  RIDGEPOINT_DRIVER_FUNCTIONS(RIDGEPOINT_DRIVER_FIELD)
#undef RIDGEPOINT_DRIVER_FIELD
};

// The table of the libcuda that this process has loaded; fails when there is none, or when it is
// too old (cuCtxRecordEvent came with CUDA 12.5). Lives until the process ends.
Result<const DriverApi*> loaded_driver();

// CUDA_SUCCESS becomes an empty status.
Status driver_status(const DriverApi& driver, CUresult code, const char* what);

}  // namespace ridgepoint::collector
