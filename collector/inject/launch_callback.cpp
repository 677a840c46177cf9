#include "collector/inject/launch_callback.h"

#include <algorithm>
#include <array>
#include <vector>

#include "collector/cupti/cupti_api.h"
#include "collector/cupti/cupti_error.h"
#include "collector/inject/launch_parameters.h"
#include "collector/inject/no_cancellation.h"
#include "collector/inject/nvtx_entry.h"

namespace ridgepoint::collector {
namespace {

// Every way to launch a kernel or a graph; _ptsz are the same for the per-thread default stream.
constexpr std::array launch_calls = {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
                                     CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
                                     CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
                                     CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz,
                                     CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
                                     CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz,
                                     CUPTI_DRIVER_TRACE_CBID_cuLaunch,
                                     CUPTI_DRIVER_TRACE_CBID_cuLaunchGrid,
                                     CUPTI_DRIVER_TRACE_CBID_cuLaunchGridAsync,
                                     CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch,
                                     CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz};

constexpr std::size_t plain_launches = 4;  // the first of them

// By which a program gets a pointer to the driver's functions, code, or a kernel's handle.
constexpr std::array calls_for_ways = {
    CUPTI_DRIVER_TRACE_CBID_cuGetProcAddress,    CUPTI_DRIVER_TRACE_CBID_cuGetProcAddress_v2,
    CUPTI_DRIVER_TRACE_CBID_cuModuleLoad,        CUPTI_DRIVER_TRACE_CBID_cuModuleLoadData,
    CUPTI_DRIVER_TRACE_CBID_cuModuleLoadDataEx,  CUPTI_DRIVER_TRACE_CBID_cuModuleLoadFatBinary,
    CUPTI_DRIVER_TRACE_CBID_cuLibraryLoadData,   CUPTI_DRIVER_TRACE_CBID_cuLibraryLoadFromFile,
    CUPTI_DRIVER_TRACE_CBID_cuModuleGetFunction, CUPTI_DRIVER_TRACE_CBID_cuLibraryGetKernel};
constexpr std::array calls_that_end_handles = {CUPTI_DRIVER_TRACE_CBID_cuModuleUnload,
                                               CUPTI_DRIVER_TRACE_CBID_cuLibraryUnload};

template <class Ids>
bool is_one_of(const Ids& ids, std::uint32_t id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

CUpti_SubscriberHandle subscriber = nullptr;
bool hears_ways = false;
std::vector<std::uint32_t> heard_calls;
bool in_forked_child = false;  // written once, while there is one thread

Dim3 cluster_of(const CUlaunchConfig& config) {
  for (unsigned i = 0; config.attrs != nullptr && i < config.numAttrs; ++i) {
    if (config.attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
      const auto& dim = config.attrs[i].value.clusterDim;
      return {dim.x, dim.y, dim.z};
    }
  }
  return {};
}

constexpr auto launch_by_id = [] {
  std::array<bool, CUPTI_DRIVER_TRACE_CBID_SIZE> is_one = {};
  for (const auto id : launch_calls) {
    is_one[id] = true;
  }
  return is_one;
}();

bool is_launch(std::uint32_t id) {
  return id < launch_by_id.size() && launch_by_id[id];
}

bool is_graph(std::uint32_t id) {
  return id == CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch ||
         id == CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz;
}

template <class Parameters>
void copy_shape(const Parameters& p, KernelRecord& shape) {
  shape.grid = {p.gridDimX, p.gridDimY, p.gridDimZ};
  shape.block = {p.blockDimX, p.blockDimY, p.blockDimZ};
  shape.dynamic_smem_bytes = p.sharedMemBytes;
}

// Of a capture that the program's mistakes have made void; other errors leave it under way.
bool ended_all_the_same(const MemoryCall& call, CUresult result) {
  return call.kind == MemoryCall::Kind::ends_capture &&
         result == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
}

void on_driver_call(LaunchListener& listener, std::uint32_t id, const CUpti_CallbackData& data) {
  const bool returned = data.callbackSite == CUPTI_API_EXIT;
  const auto* result = static_cast<const CUresult*>(data.functionReturnValue);
  const bool succeeded = returned && (result == nullptr || *result == CUDA_SUCCESS);
  // Launches first: looking through all the memory calls takes long.
  if (!is_launch(id)) {
    const NoCancellation here;
    const bool handles_end = is_one_of(calls_that_end_handles, id);
    if (hears_ways && (handles_end || is_one_of(calls_for_ways, id))) {
      if (!returned) {
        listener.ways_to_launch_change(handles_end);
      }
      return;
    }
    const auto memory = memory_call(id, data.functionParams, succeeded);
    if (memory && returned) {
      listener.after_memory_call(*memory, data.context,
                                 succeeded || ended_all_the_same(*memory, *result));
    } else if (memory) {
      listener.before_memory_call(*memory, data.context);
    }
    return;
  }
  if (returned) {
    listener.after_launch(data.correlationId, succeeded);
    return;
  }
  const bool graph = is_graph(id);
  listener.before_launch({data.correlationId, data.context, id, data.functionParams,
                          graph ? nullptr : data.symbolName, graph});
}

void CUPTIAPI on_callback(void* user, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                          const void* data) {
  if (in_forked_child) {
    return;
  }
  auto& listener = *static_cast<LaunchListener*>(user);
  try {
    if (domain == CUPTI_CB_DOMAIN_DRIVER_API) {
      on_driver_call(listener, id, *static_cast<const CUpti_CallbackData*>(data));
      return;
    }
    const NoCancellation here;
    if (domain == CUPTI_CB_DOMAIN_RESOURCE && id == CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING) {
      listener.before_context_ends(static_cast<const CUpti_ResourceData*>(data)->context);
    } else if (domain == CUPTI_CB_DOMAIN_RESOURCE && id == CUPTI_CBID_RESOURCE_MODULE_LOADED) {
      const auto* module = static_cast<const CUpti_ModuleResourceData*>(
          static_cast<const CUpti_ResourceData*>(data)->resourceDescriptor);
      if (module != nullptr) {
        listener.module_loaded(module->pCubin, module->cubinSize);
      }
    } else if (domain == CUPTI_CB_DOMAIN_RESOURCE && id == CUPTI_CBID_RESOURCE_CONTEXT_CREATED) {
      listener.context_created(static_cast<const CUpti_ResourceData*>(data)->context);
    } else if (domain == CUPTI_CB_DOMAIN_RESOURCE &&
               id == CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING) {
      listener.module_unloads();
    }
  } catch (...) {
    // Out of memory in our own bookkeeping; the program's launch goes on.
  }
}

}  // namespace

LaunchCall with_shape(const HeardLaunch& heard) {
  LaunchCall call{heard, {}};
  if (!call.graph) {
    call.shape.mangled = call.symbol == nullptr ? "" : call.symbol;
    read_shape(call.id, call.parameters, call.shape);
  }
  return call;
}

void read_shape(std::uint32_t id, const void* parameters, KernelRecord& shape) {
  if (parameters == nullptr) {
    return;
  }
  switch (id) {
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz:
      copy_shape(*static_cast<const LaunchKernelParameters*>(parameters), shape);
      break;
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz:
      if (const auto* config = static_cast<const LaunchKernelExParameters*>(parameters)->config) {
        copy_shape(*config, shape);
        shape.cluster = cluster_of(*config);
      }
      break;
    default:
      break;  // before CUDA 4: the block's shape was set by another call
  }
}

LaunchStream stream_of_launch(std::uint32_t id, const void* parameters) {
  if (parameters == nullptr) {
    return {};
  }
  const auto stream = [](CUstream handle, bool per_thread) -> LaunchStream {
    const bool of_thread = handle == nullptr ? per_thread : handle == CU_STREAM_PER_THREAD;
    return {handle, per_thread, of_thread ? this_thread() : 0};
  };
  switch (id) {
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
      return stream(static_cast<const LaunchKernelParameters*>(parameters)->hStream, false);
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz:
      return stream(static_cast<const LaunchKernelParameters*>(parameters)->hStream, true);
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz: {
      const auto* config = static_cast<const LaunchKernelExParameters*>(parameters)->config;
      return stream(config == nullptr ? nullptr : config->hStream,
                    id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz);
    }
    default:
      return {};
  }
}

Status listen_to_launches(const CuptiApi& api, LaunchListener& listener, Listening to) {
  const std::string what = "watching kernel launches";
  if (const auto code = api.cuptiSubscribe(&subscriber, on_callback, &listener);
      code != CUPTI_SUCCESS) {
    return cupti_failure(api, code, what);
  }
  std::vector<std::uint32_t> calls(launch_calls.begin(), launch_calls.end());
  std::vector<std::uint32_t> resources = {CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING};
  if (to.memory_calls) {
    const std::vector<std::uint32_t> more = memory_call_ids();
    calls.insert(calls.end(), more.begin(), more.end());
  } else if (to.rare_calls) {
    const std::vector<std::uint32_t> more = rare_call_ids();
    calls.insert(calls.end(), more.begin(), more.end());
  }
  if (to.memory_calls || to.code) {
    resources.push_back(CUPTI_CBID_RESOURCE_MODULE_LOADED);
  }
  if (to.ways_to_launch) {
    calls.insert(calls.end(), calls_for_ways.begin(), calls_for_ways.end());
    calls.insert(calls.end(), calls_that_end_handles.begin(), calls_that_end_handles.end());
  }
  hears_ways = to.ways_to_launch;
  if (to.code || to.ways_to_launch) {
    resources.push_back(CUPTI_CBID_RESOURCE_CONTEXT_CREATED);
  }
  if (to.code) {
    resources.push_back(CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING);
  }
  heard_calls = calls;
  for (const std::uint32_t call : calls) {
    if (const auto code = api.cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, call);
        code != CUPTI_SUCCESS) {
      return cupti_failure(api, code, what);
    }
  }
  for (const std::uint32_t resource : resources) {
    if (const auto code =
            api.cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE, resource);
        code != CUPTI_SUCCESS) {
      return cupti_failure(api, code, what);
    }
  }
  return {};
}

void stop_hearing_calls(const CuptiApi& api) {
  for (const std::uint32_t call : heard_calls) {
    api.cuptiEnableCallback(0, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, call);
  }
}

bool hear_plain_launches(const CuptiApi& api, bool on) {
  bool done = true;
  for (std::size_t i = 0; i < plain_launches; ++i) {
    done = api.cuptiEnableCallback(on ? 1 : 0, subscriber, CUPTI_CB_DOMAIN_DRIVER_API,
                                   launch_calls[i]) == CUPTI_SUCCESS &&
           done;
  }
  return done;
}

void hear_nothing_in_forked_child() {
  in_forked_child = true;
}

void forget_subscription() {
  subscriber = nullptr;
}

void stop_listening(const CuptiApi& api) {
  if (subscriber != nullptr) {
    api.cuptiUnsubscribe(subscriber);
    subscriber = nullptr;
  }
}

}  // namespace ridgepoint::collector
