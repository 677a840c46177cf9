#include "collector/inject/current_context.h"

#include <cuda.h>
#include <dlfcn.h>

namespace ridgepoint::collector {
namespace {

struct ContextStack {
  CUresult (*push)(CUcontext) = nullptr;
  CUresult (*pop)(CUcontext*) = nullptr;
};

const ContextStack& stack() {
  static const ContextStack functions = [] {
    ContextStack found;
    if (void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD)) {
      // _v2: since CUDA 4.0, behind the plain names of cuda.h.
      found.push = reinterpret_cast<decltype(found.push)>(dlsym(library, "cuCtxPushCurrent_v2"));
      found.pop = reinterpret_cast<decltype(found.pop)>(dlsym(library, "cuCtxPopCurrent_v2"));
    }
    return found;
  }();
  return functions;
}

}  // namespace

CurrentContext::CurrentContext(CUctx_st* context) {
  pushed_ =
      stack().push != nullptr && stack().pop != nullptr && stack().push(context) == CUDA_SUCCESS;
}

CurrentContext::~CurrentContext() {
  if (pushed_) {
    CUcontext popped = nullptr;
    stack().pop(&popped);
  }
}

}  // namespace ridgepoint::collector
