#include "collector/inject/launch_callback.h"

#include <array>
#include <vector>

#include "collector/cupti/cupti_api.h"
#include "collector/cupti/cupti_error.h"
#include "collector/inject/launch_parameters.h"

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

CUpti_SubscriberHandle subscriber = nullptr;

Dim3 cluster_of(const CUlaunchConfig& config) {
  for (unsigned i = 0; config.attrs != nullptr && i < config.numAttrs; ++i) {
    if (config.attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
      const auto& dim = config.attrs[i].value.clusterDim;
      return {dim.x, dim.y, dim.z};
    }
  }
  return {};
}

template <class Parameters>
void read_shape(const Parameters& p, KernelRecord& shape) {
  shape.grid = {p.gridDimX, p.gridDimY, p.gridDimZ};
  shape.block = {p.blockDimX, p.blockDimY, p.blockDimZ};
  shape.dynamic_smem_bytes = p.sharedMemBytes;
}

// Only calls of launch_calls come here.
std::optional<LaunchCall> call_without_shape(std::uint32_t id, const void* parameters) {
  LaunchCall call;
  call.id = id;
  call.parameters = parameters;
  call.graph = id == CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch ||
               id == CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz;
  return call;
}

void on_driver_call(LaunchListener& listener, std::uint32_t id, const CUpti_CallbackData& data) {
  const bool returned = data.callbackSite == CUPTI_API_EXIT;
  const auto* result = static_cast<const CUresult*>(data.functionReturnValue);
  const bool succeeded = returned && (result == nullptr || *result == CUDA_SUCCESS);
  if (const auto memory = memory_call(id, data.functionParams, succeeded)) {
    if (returned) {
      listener.after_memory_call(*memory, data.context, succeeded);
    } else {
      listener.before_memory_call(*memory);
    }
    return;
  }
  if (returned) {
    listener.after_launch(data.correlationId, succeeded);
    return;
  }
  if (auto call = listener.needs_shape() ? launch_of({id, data.functionParams, data.symbolName})
                                         : call_without_shape(id, data.functionParams)) {
    call->correlation = data.correlationId;
    call->context = data.context;
    listener.before_launch(*call);
  }
}

void CUPTIAPI on_callback(void* user, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                          const void* data) {
  auto& listener = *static_cast<LaunchListener*>(user);
  try {
    if (domain == CUPTI_CB_DOMAIN_DRIVER_API) {
      on_driver_call(listener, id, *static_cast<const CUpti_CallbackData*>(data));
    } else if (domain == CUPTI_CB_DOMAIN_RESOURCE &&
               id == CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING) {
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

std::optional<LaunchCall> launch_of(const CallbackView& view) {
  LaunchCall call;
  call.id = view.id;
  call.parameters = view.parameters;
  call.shape.mangled = view.symbol == nullptr ? "" : view.symbol;
  if (view.parameters == nullptr) {
    return call;
  }
  switch (view.id) {
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz:
      read_shape(*static_cast<const LaunchKernelParameters*>(view.parameters), call.shape);
      return call;
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz: {
      const auto* config = static_cast<const LaunchKernelExParameters*>(view.parameters)->config;
      if (config != nullptr) {
        read_shape(*config, call.shape);
        call.shape.cluster = cluster_of(*config);
      }
      return call;
    }
    case CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch:
    case CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz:
      call.graph = true;
      return call;
    case CUPTI_DRIVER_TRACE_CBID_cuLaunch:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchGrid:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchGridAsync:
      return call;  // before CUDA 4: the block's shape was set by another call
    default:
      return std::nullopt;
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
  }
  if (to.memory_calls || to.code) {
    resources.push_back(CUPTI_CBID_RESOURCE_MODULE_LOADED);
  }
  if (to.code) {
    resources.push_back(CUPTI_CBID_RESOURCE_CONTEXT_CREATED);
    resources.push_back(CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING);
  }
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

void stop_listening(const CuptiApi& api) {
  if (subscriber != nullptr) {
    api.cuptiUnsubscribe(subscriber);
    subscriber = nullptr;
  }
}

}  // namespace ridgepoint::collector
