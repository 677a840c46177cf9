#include "collector/inject/current_context.h"

#include <cuda.h>
#include <dlfcn.h>

namespace ridgepoint::collector {
namespace {

struct ContextCalls {
  CUresult (*get)(CUcontext*) = nullptr;
  CUresult (*push)(CUcontext) = nullptr;
  CUresult (*pop)(CUcontext*) = nullptr;
};

const ContextCalls& calls() {
  static const ContextCalls functions = [] {
    ContextCalls found;
    if (void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD)) {
      // _v2: since CUDA 4.0, behind the plain names of cuda.h.
      found.push = reinterpret_cast<decltype(found.push)>(dlsym(library, "cuCtxPushCurrent_v2"));
      found.pop = reinterpret_cast<decltype(found.pop)>(dlsym(library, "cuCtxPopCurrent_v2"));
      found.get = reinterpret_cast<decltype(found.get)>(dlsym(library, "cuCtxGetCurrent"));
    }
    return found;
  }();
  return functions;
}

}  // namespace

CurrentContext::CurrentContext(CUctx_st* context) {
  pushed_ =
      calls().push != nullptr && calls().pop != nullptr && calls().push(context) == CUDA_SUCCESS;
}

CUctx_st* context_of_this_thread() {
  CUcontext context = nullptr;
  const bool known = calls().get != nullptr && calls().get(&context) == CUDA_SUCCESS;
  return known ? context : nullptr;
}

CurrentContext::~CurrentContext() {
  if (pushed_) {
    CUcontext popped = nullptr;
    calls().pop(&popped);
  }
}

}  // namespace ridgepoint::collector
