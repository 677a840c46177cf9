// What the portable forward kernels are all given; each adds its own. Free of host-heavy headers.
#pragma once

#include <cstdint>

namespace ridgepoint::kernels {

struct ForwardArguments {
  const void* q;
  const void* k;
  const void* v;
  void* o;
  float* lse;  // may be null
  std::int32_t heads;
  std::int32_t kv_heads;
  std::int32_t seqlen_q;
  std::int32_t seqlen_k;
  float scale;
  bool causal;
};

}  // namespace ridgepoint::kernels
