// Makes a CUDA context current on this thread while it lives, for work on the program's behalf from
// a thread of our own. Does nothing where libcuda is not loaded.
#pragma once

struct CUctx_st;

namespace ridgepoint::collector {

class CurrentContext {
 public:
  explicit CurrentContext(CUctx_st* context);
  ~CurrentContext();
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;

 private:
  bool pushed_ = false;
};

// Null where this thread has none, or libcuda is not loaded.
CUctx_st* context_of_this_thread();

}  // namespace ridgepoint::collector
