// The attention kernels behind a C interface, so that a script can call them on another framework's
// tensors (attention_peers.py). Shapes and layouts: kernels/attention/problem.h. All functions
// return 0, a cudaError_t, or one of the codes below.
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  ridgepoint_unknown_variant = -1,
  ridgepoint_unsupported_problem = -2,
  ridgepoint_misaligned_tensor = -3
};

typedef struct {
  int batch;
  int heads;
  int kv_heads;
  int seqlen_q;
  int seqlen_k;
  int head_dim;
  int bf16;    // 0: FP16
  int causal;  // aligned at the bottom right
} ridgepoint_attention_problem;

// Device pointers, 16-byte aligned. The forward call uses q to lse and workspace.
typedef struct {
  const void* q;
  const void* k;
  const void* v;
  void* o;
  float* lse;
  const void* d_o;
  void* dq;
  void* dk;
  void* dv;
  void* saved;
  void* workspace;
} ridgepoint_attention_tensors;

// A capability of 90 stands for 9.0.
int ridgepoint_attention_forward_bytes(const char* variant, const ridgepoint_attention_problem*,
                                       int capability, size_t* workspace);
int ridgepoint_attention_forward(const char* variant, const ridgepoint_attention_problem*,
                                 const ridgepoint_attention_tensors*, void* stream);

int ridgepoint_attention_backward_bytes(const char* variant, const ridgepoint_attention_problem*,
                                        int capability, size_t* saved, size_t* workspace);
// What must run once after the forward pass; see kernels/attention/backward_variant.h.
int ridgepoint_attention_backward_save(const char* variant, const ridgepoint_attention_problem*,
                                       const ridgepoint_attention_tensors*, void* stream);
int ridgepoint_attention_backward(const char* variant, const ridgepoint_attention_problem*,
                                  const ridgepoint_attention_tensors*, void* stream);

#ifdef __cplusplus
}
#endif
