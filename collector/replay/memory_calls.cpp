#include "collector/replay/memory_calls.h"

#include <algorithm>
#include <array>

#include "collector/cupti/cupti_api.h"

namespace ridgepoint::collector {
namespace {

#define RIDGEPOINT_ID(name) CUPTI_DRIVER_TRACE_CBID_##name

// Copies, fills and moves: they read or write memory that a replay would change under them.
constexpr std::array moving_calls = {
    RIDGEPOINT_ID(cuMemBatchDecompressAsync),
    RIDGEPOINT_ID(cuMemBatchDecompressAsync_ptsz),
    RIDGEPOINT_ID(cuMemDiscardAndPrefetchBatchAsync),
    RIDGEPOINT_ID(cuMemDiscardAndPrefetchBatchAsync_ptsz),
    RIDGEPOINT_ID(cuMemDiscardBatchAsync),
    RIDGEPOINT_ID(cuMemDiscardBatchAsync_ptsz),
    RIDGEPOINT_ID(cuMemMapArrayAsync),
    RIDGEPOINT_ID(cuMemMapArrayAsync_ptsz),
    RIDGEPOINT_ID(cuMemPrefetchAsync),
    RIDGEPOINT_ID(cuMemPrefetchAsync_ptsz),
    RIDGEPOINT_ID(cuMemPrefetchAsync_v2),
    RIDGEPOINT_ID(cuMemPrefetchAsync_v2_ptsz),
    RIDGEPOINT_ID(cuMemPrefetchBatchAsync),
    RIDGEPOINT_ID(cuMemPrefetchBatchAsync_ptsz),
    RIDGEPOINT_ID(cuMemcpy),
    RIDGEPOINT_ID(cuMemcpy2D),
    RIDGEPOINT_ID(cuMemcpy2DAsync),
    RIDGEPOINT_ID(cuMemcpy2DAsync_v2),
    RIDGEPOINT_ID(cuMemcpy2DAsync_v2_ptsz),
    RIDGEPOINT_ID(cuMemcpy2DUnaligned),
    RIDGEPOINT_ID(cuMemcpy2DUnaligned_v2),
    RIDGEPOINT_ID(cuMemcpy2DUnaligned_v2_ptds),
    RIDGEPOINT_ID(cuMemcpy2D_v2),
    RIDGEPOINT_ID(cuMemcpy2D_v2_ptds),
    RIDGEPOINT_ID(cuMemcpy3D),
    RIDGEPOINT_ID(cuMemcpy3DAsync),
    RIDGEPOINT_ID(cuMemcpy3DAsync_v2),
    RIDGEPOINT_ID(cuMemcpy3DAsync_v2_ptsz),
    RIDGEPOINT_ID(cuMemcpy3DBatchAsync),
    RIDGEPOINT_ID(cuMemcpy3DBatchAsync_ptsz),
    RIDGEPOINT_ID(cuMemcpy3DBatchAsync_v2),
    RIDGEPOINT_ID(cuMemcpy3DBatchAsync_v2_ptsz),
    RIDGEPOINT_ID(cuMemcpy3DPeer),
    RIDGEPOINT_ID(cuMemcpy3DPeerAsync),
    RIDGEPOINT_ID(cuMemcpy3DPeerAsync_ptsz),
    RIDGEPOINT_ID(cuMemcpy3DPeer_ptds),
    RIDGEPOINT_ID(cuMemcpy3D_v2),
    RIDGEPOINT_ID(cuMemcpy3D_v2_ptds),
    RIDGEPOINT_ID(cuMemcpyAsync),
    RIDGEPOINT_ID(cuMemcpyAsync_ptsz),
    RIDGEPOINT_ID(cuMemcpyAtoA),
    RIDGEPOINT_ID(cuMemcpyAtoA_v2),
    RIDGEPOINT_ID(cuMemcpyAtoA_v2_ptds),
    RIDGEPOINT_ID(cuMemcpyAtoD),
    RIDGEPOINT_ID(cuMemcpyAtoD_v2),
    RIDGEPOINT_ID(cuMemcpyAtoD_v2_ptds),
    RIDGEPOINT_ID(cuMemcpyAtoH),
    RIDGEPOINT_ID(cuMemcpyAtoHAsync),
    RIDGEPOINT_ID(cuMemcpyAtoHAsync_v2),
    RIDGEPOINT_ID(cuMemcpyAtoHAsync_v2_ptsz),
    RIDGEPOINT_ID(cuMemcpyAtoH_v2),
    RIDGEPOINT_ID(cuMemcpyAtoH_v2_ptds),
    RIDGEPOINT_ID(cuMemcpyBatchAsync),
    RIDGEPOINT_ID(cuMemcpyBatchAsync_ptsz),
    RIDGEPOINT_ID(cuMemcpyBatchAsync_v2),
    RIDGEPOINT_ID(cuMemcpyBatchAsync_v2_ptsz),
    RIDGEPOINT_ID(cuMemcpyDtoA),
    RIDGEPOINT_ID(cuMemcpyDtoA_v2),
    RIDGEPOINT_ID(cuMemcpyDtoA_v2_ptds),
    RIDGEPOINT_ID(cuMemcpyDtoD),
    RIDGEPOINT_ID(cuMemcpyDtoDAsync),
    RIDGEPOINT_ID(cuMemcpyDtoDAsync_v2),
    RIDGEPOINT_ID(cuMemcpyDtoDAsync_v2_ptsz),
    RIDGEPOINT_ID(cuMemcpyDtoD_v2),
    RIDGEPOINT_ID(cuMemcpyDtoD_v2_ptds),
    RIDGEPOINT_ID(cuMemcpyDtoH),
    RIDGEPOINT_ID(cuMemcpyDtoHAsync),
    RIDGEPOINT_ID(cuMemcpyDtoHAsync_v2),
    RIDGEPOINT_ID(cuMemcpyDtoHAsync_v2_ptsz),
    RIDGEPOINT_ID(cuMemcpyDtoH_v2),
    RIDGEPOINT_ID(cuMemcpyDtoH_v2_ptds),
    RIDGEPOINT_ID(cuMemcpyHtoA),
    RIDGEPOINT_ID(cuMemcpyHtoAAsync),
    RIDGEPOINT_ID(cuMemcpyHtoAAsync_v2),
    RIDGEPOINT_ID(cuMemcpyHtoAAsync_v2_ptsz),
    RIDGEPOINT_ID(cuMemcpyHtoA_v2),
    RIDGEPOINT_ID(cuMemcpyHtoA_v2_ptds),
    RIDGEPOINT_ID(cuMemcpyHtoD),
    RIDGEPOINT_ID(cuMemcpyHtoDAsync),
    RIDGEPOINT_ID(cuMemcpyHtoDAsync_v2),
    RIDGEPOINT_ID(cuMemcpyHtoDAsync_v2_ptsz),
    RIDGEPOINT_ID(cuMemcpyHtoD_v2),
    RIDGEPOINT_ID(cuMemcpyHtoD_v2_ptds),
    RIDGEPOINT_ID(cuMemcpyPeer),
    RIDGEPOINT_ID(cuMemcpyPeerAsync),
    RIDGEPOINT_ID(cuMemcpyPeerAsync_ptsz),
    RIDGEPOINT_ID(cuMemcpyPeer_ptds),
    RIDGEPOINT_ID(cuMemcpy_ptds),
    RIDGEPOINT_ID(cuMemcpy_v2),
    RIDGEPOINT_ID(cuMemsetD16),
    RIDGEPOINT_ID(cuMemsetD16Async),
    RIDGEPOINT_ID(cuMemsetD16Async_ptsz),
    RIDGEPOINT_ID(cuMemsetD16_v2),
    RIDGEPOINT_ID(cuMemsetD16_v2_ptds),
    RIDGEPOINT_ID(cuMemsetD2D16),
    RIDGEPOINT_ID(cuMemsetD2D16Async),
    RIDGEPOINT_ID(cuMemsetD2D16Async_ptsz),
    RIDGEPOINT_ID(cuMemsetD2D16_v2),
    RIDGEPOINT_ID(cuMemsetD2D16_v2_ptds),
    RIDGEPOINT_ID(cuMemsetD2D32),
    RIDGEPOINT_ID(cuMemsetD2D32Async),
    RIDGEPOINT_ID(cuMemsetD2D32Async_ptsz),
    RIDGEPOINT_ID(cuMemsetD2D32_v2),
    RIDGEPOINT_ID(cuMemsetD2D32_v2_ptds),
    RIDGEPOINT_ID(cuMemsetD2D8),
    RIDGEPOINT_ID(cuMemsetD2D8Async),
    RIDGEPOINT_ID(cuMemsetD2D8Async_ptsz),
    RIDGEPOINT_ID(cuMemsetD2D8_v2),
    RIDGEPOINT_ID(cuMemsetD2D8_v2_ptds),
    RIDGEPOINT_ID(cuMemsetD32),
    RIDGEPOINT_ID(cuMemsetD32Async),
    RIDGEPOINT_ID(cuMemsetD32Async_ptsz),
    RIDGEPOINT_ID(cuMemsetD32_v2),
    RIDGEPOINT_ID(cuMemsetD32_v2_ptds),
    RIDGEPOINT_ID(cuMemsetD8),
    RIDGEPOINT_ID(cuMemsetD8Async),
    RIDGEPOINT_ID(cuMemsetD8Async_ptsz),
    RIDGEPOINT_ID(cuMemsetD8_v2),
    RIDGEPOINT_ID(cuMemsetD8_v2_ptds),
};
constexpr std::array waiting_calls = {
    RIDGEPOINT_ID(cuLaunchHostFunc),       RIDGEPOINT_ID(cuLaunchHostFunc_ptsz),
    RIDGEPOINT_ID(cuStreamAddCallback),    RIDGEPOINT_ID(cuStreamAddCallback_ptsz),
    RIDGEPOINT_ID(cuStreamBatchMemOp),     RIDGEPOINT_ID(cuStreamBatchMemOp_ptsz),
    RIDGEPOINT_ID(cuStreamBatchMemOp_v2),  RIDGEPOINT_ID(cuStreamBatchMemOp_v2_ptsz),
    RIDGEPOINT_ID(cuStreamWaitValue32),    RIDGEPOINT_ID(cuStreamWaitValue32_ptsz),
    RIDGEPOINT_ID(cuStreamWaitValue32_v2), RIDGEPOINT_ID(cuStreamWaitValue32_v2_ptsz),
    RIDGEPOINT_ID(cuStreamWaitValue64),    RIDGEPOINT_ID(cuStreamWaitValue64_ptsz),
    RIDGEPOINT_ID(cuStreamWaitValue64_v2), RIDGEPOINT_ID(cuStreamWaitValue64_v2_ptsz),
};
constexpr std::array capture_begins = {
    RIDGEPOINT_ID(cuStreamBeginCapture),
    RIDGEPOINT_ID(cuStreamBeginCaptureToGraph),
    RIDGEPOINT_ID(cuStreamBeginCaptureToGraph_ptsz),
    RIDGEPOINT_ID(cuStreamBeginCapture_ptsz),
    RIDGEPOINT_ID(cuStreamBeginCapture_v2),
    RIDGEPOINT_ID(cuStreamBeginCapture_v2_ptsz),
};
constexpr std::array capture_ends = {
    RIDGEPOINT_ID(cuStreamEndCapture),
    RIDGEPOINT_ID(cuStreamEndCapture_ptsz),
};
constexpr std::array instantiating_calls = {
    RIDGEPOINT_ID(cuGraphInstantiate),
    RIDGEPOINT_ID(cuGraphInstantiate_v2),
    RIDGEPOINT_ID(cuGraphInstantiateWithFlags),
    RIDGEPOINT_ID(cuGraphInstantiateWithParams),
    RIDGEPOINT_ID(cuGraphInstantiateWithParams_ptsz),
};
// Every graph begins with one of these, or with a capture.
constexpr std::array graph_calls = {RIDGEPOINT_ID(cuGraphCreate)};
// Afterwards somebody else may write what we restore, or wait for it: another process, a graphics
// API; or kernels write arrays, which no address tells of.
constexpr std::array sharing_calls = {
    RIDGEPOINT_ID(cuGraphicsMapResources),
    RIDGEPOINT_ID(cuGraphicsMapResources_ptsz),
    RIDGEPOINT_ID(cuImportExternalMemory),
    RIDGEPOINT_ID(cuIpcGetMemHandle),
    RIDGEPOINT_ID(cuIpcOpenMemHandle),
    RIDGEPOINT_ID(cuIpcOpenMemHandle_v2),
    RIDGEPOINT_ID(cuMemExportToShareableHandle),
    RIDGEPOINT_ID(cuMemGetHandleForAddressRange),
    RIDGEPOINT_ID(cuMemImportFromShareableHandle),
    RIDGEPOINT_ID(cuMemPoolExportPointer),
    RIDGEPOINT_ID(cuMemPoolExportToShareableHandle),
    RIDGEPOINT_ID(cuMemPoolImportFromShareableHandle),
    RIDGEPOINT_ID(cuMemPoolImportPointer),
    RIDGEPOINT_ID(cuMulticastCreate),
    RIDGEPOINT_ID(cuSurfObjectCreate),
    RIDGEPOINT_ID(cuSurfRefSetArray),
};
// Made for every GPU that there is, by JAX for one, also where one of them does all the work.
constexpr std::array peer_calls = {RIDGEPOINT_ID(cuCtxEnablePeerAccess)};
constexpr std::array pool_calls = {RIDGEPOINT_ID(cuMemPoolSetAccess)};
constexpr std::array allocating_calls = {
    RIDGEPOINT_ID(cuMemAlloc_v2),
    RIDGEPOINT_ID(cuMemAllocPitch_v2),
    RIDGEPOINT_ID(cuMemAllocAsync),
    RIDGEPOINT_ID(cuMemAllocAsync_ptsz),
    RIDGEPOINT_ID(cuMemAllocFromPoolAsync),
    RIDGEPOINT_ID(cuMemAllocFromPoolAsync_ptsz),
    RIDGEPOINT_ID(cuMemMap),
    RIDGEPOINT_ID(cuMemCreate),
};
constexpr std::array releasing_calls = {
    RIDGEPOINT_ID(cuMemFree_v2),        RIDGEPOINT_ID(cuMemFreeAsync),
    RIDGEPOINT_ID(cuMemFreeAsync_ptsz), RIDGEPOINT_ID(cuMemUnmap),
    RIDGEPOINT_ID(cuMemSetAccess),      RIDGEPOINT_ID(cuModuleUnload),
    RIDGEPOINT_ID(cuLibraryUnload),
};

#undef RIDGEPOINT_ID

// The arguments of those calls, in their order, as far as they are read here.
struct AllocateArguments {  // cuMemAlloc_v2, cuMemAllocAsync, cuMemAllocFromPoolAsync
  CUdeviceptr* address;
  std::size_t bytes;
};
struct PitchArguments {
  CUdeviceptr* address;
  std::size_t* pitch;
  std::size_t width;
  std::size_t height;
};
struct CreateArguments {
  CUmemGenericAllocationHandle* handle;
  std::size_t bytes;
};
struct RangeArguments {  // cuMemMap, cuMemUnmap; the address alone: cuMemFree
  CUdeviceptr address;
  std::size_t bytes;
};
struct AccessArguments {  // cuMemSetAccess
  CUdeviceptr address;
  std::size_t bytes;
  const CUmemAccessDesc* who;
  std::size_t count;
};

struct PoolAccessArguments {
  CUmemoryPool pool;
  const CUmemAccessDesc* who;
  std::size_t count;
};

struct InstantiateArguments {  // of every version
  CUgraphExec* executable;
  CUgraph graph;
};

template <class Ids>
bool is_in(const Ids& ids, std::uint32_t id) {
  return std::find(ids.begin(), ids.end(), static_cast<CUpti_driver_api_trace_cbid>(id)) !=
         ids.end();
}

MemoryCall allocation(std::uint32_t id, const void* parameters, bool returned) {
  MemoryCall call;
  call.kind = MemoryCall::Kind::allocates;
  const auto result = [&](const CUdeviceptr* address) {
    return returned && address != nullptr ? *address : 0;
  };
  if (id == CUPTI_DRIVER_TRACE_CBID_cuMemMap) {
    const auto& p = *static_cast<const RangeArguments*>(parameters);
    call.address = returned ? p.address : 0;
    call.bytes = p.bytes;
    call.mapped = true;
  } else if (id == CUPTI_DRIVER_TRACE_CBID_cuMemCreate) {
    // Takes physical memory, which has no address before it is mapped.
    call.bytes = static_cast<const CreateArguments*>(parameters)->bytes;
  } else if (id == CUPTI_DRIVER_TRACE_CBID_cuMemAllocPitch_v2) {
    const auto& p = *static_cast<const PitchArguments*>(parameters);
    call.address = result(p.address);
    call.bytes = (returned && p.pitch != nullptr ? *p.pitch : p.width) * p.height;
  } else {
    const auto& p = *static_cast<const AllocateArguments*>(parameters);
    call.address = result(p.address);
    call.bytes = p.bytes;
  }
  return call;
}

MemoryCall protection(const AccessArguments& p) {
  MemoryCall call;
  call.kind = MemoryCall::Kind::protects;
  call.address = p.address;
  call.bytes = p.bytes;
  for (std::size_t i = 0; p.who != nullptr && i < p.count; ++i) {
    if (p.who[i].flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE) {
      call.revokes = true;
    } else if (p.who[i].location.type == CU_MEM_LOCATION_TYPE_DEVICE) {
      call.devices.push_back(p.who[i].location.id);
    }
  }
  return call;
}

MemoryCall pool_opening(const PoolAccessArguments& p) {
  MemoryCall call;
  call.kind = MemoryCall::Kind::opens_pool;
  call.pool = p.pool;
  for (std::size_t i = 0; p.who != nullptr && i < p.count; ++i) {
    if (p.who[i].flags != CU_MEM_ACCESS_FLAGS_PROT_NONE &&
        p.who[i].location.type == CU_MEM_LOCATION_TYPE_DEVICE) {
      call.devices.push_back(p.who[i].location.id);
    }
  }
  return call;
}

MemoryCall instantiation(const void* parameters, bool returned) {
  const auto& p = *static_cast<const InstantiateArguments*>(parameters);
  MemoryCall call;
  call.kind = MemoryCall::Kind::instantiates_graph;
  call.graph = p.graph;
  call.executable = returned && p.executable != nullptr ? *p.executable : nullptr;
  return call;
}

}  // namespace

std::vector<std::uint32_t> memory_call_ids() {
  std::vector<std::uint32_t> ids;
  for (const auto& list :
       {std::vector<CUpti_driver_api_trace_cbid>(moving_calls.begin(), moving_calls.end()),
        {waiting_calls.begin(), waiting_calls.end()},
        {capture_begins.begin(), capture_begins.end()},
        {capture_ends.begin(), capture_ends.end()},
        {instantiating_calls.begin(), instantiating_calls.end()},
        {graph_calls.begin(), graph_calls.end()},
        {sharing_calls.begin(), sharing_calls.end()},
        {peer_calls.begin(), peer_calls.end()},
        {pool_calls.begin(), pool_calls.end()},
        {allocating_calls.begin(), allocating_calls.end()},
        {releasing_calls.begin(), releasing_calls.end()}}) {
    ids.insert(ids.end(), list.begin(), list.end());
  }
  return ids;
}

std::vector<std::uint32_t> rare_call_ids() {
  std::vector<std::uint32_t> ids(moving_calls.begin(), moving_calls.end());
  ids.insert(ids.end(), capture_begins.begin(), capture_begins.end());
  ids.insert(ids.end(), capture_ends.begin(), capture_ends.end());
  ids.insert(ids.end(), instantiating_calls.begin(), instantiating_calls.end());
  ids.insert(ids.end(), graph_calls.begin(), graph_calls.end());
  return ids;
}

std::optional<MemoryCall> memory_call(std::uint32_t id, const void* parameters, bool returned) {
  MemoryCall call;
  if (is_in(moving_calls, id)) {
    call.kind = MemoryCall::Kind::moves;
  } else if (is_in(waiting_calls, id)) {
    call.kind = MemoryCall::Kind::awaits_host;
  } else if (is_in(capture_begins, id)) {
    call.kind = MemoryCall::Kind::begins_capture;
  } else if (is_in(capture_ends, id)) {
    call.kind = MemoryCall::Kind::ends_capture;
  } else if (is_in(graph_calls, id)) {
    call.kind = MemoryCall::Kind::makes_graph;
  } else if (is_in(sharing_calls, id)) {
    call.kind = MemoryCall::Kind::shares;
  } else if (is_in(peer_calls, id)) {
    call.kind = MemoryCall::Kind::reaches_peers;
  } else if (parameters != nullptr && is_in(pool_calls, id)) {
    return pool_opening(*static_cast<const PoolAccessArguments*>(parameters));
  } else if (parameters != nullptr && is_in(instantiating_calls, id)) {
    return instantiation(parameters, returned);
  } else if (parameters != nullptr && is_in(allocating_calls, id)) {
    return allocation(id, parameters, returned);
  } else if (parameters != nullptr && is_in(releasing_calls, id)) {
    if (id == CUPTI_DRIVER_TRACE_CBID_cuModuleUnload ||
        id == CUPTI_DRIVER_TRACE_CBID_cuLibraryUnload) {
      call.kind = MemoryCall::Kind::protects;
      return call;
    }
    if (id == CUPTI_DRIVER_TRACE_CBID_cuMemSetAccess) {
      return protection(*static_cast<const AccessArguments*>(parameters));
    }
    const auto& p = *static_cast<const RangeArguments*>(parameters);
    call.kind = MemoryCall::Kind::releases;
    call.address = p.address;
    call.bytes = id == CUPTI_DRIVER_TRACE_CBID_cuMemUnmap ? p.bytes : 1;
  } else {
    return std::nullopt;
  }
  return call;
}

}  // namespace ridgepoint::collector
