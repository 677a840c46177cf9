// What the kernels of naive backward are given. dP = dO V^T and dQ = dS K are the products of naive
// forward with other operands; P, dP and dS have the shape that naive/arguments.h describes.
#pragma once

#include "kernels/attention/naive/arguments.h"

namespace ridgepoint::kernels::naive_backward {

struct SoftmaxGradientArguments {
  naive::Arguments shape;  // `scores` is dP, `probabilities` is P
  void* ds;                // scale * P * (dP - D)
};

// out = M^T X: dV with M = P and X = dO, dK with M = dS and X = Q.
struct KeyGradientArguments {
  naive::Arguments shape;
  const void* matrix;
  const void* rows;  // shape of Q
  void* out;         // shape of K
  std::int32_t key_blocks;
};

constexpr std::int32_t block_n = 128;  // keys of one thread block of the key gradients

struct Instance {
  naive::KernelShape softmax_gradient;
  naive::KernelShape key_gradient;
  cudaError_t (*launch_softmax_gradient)(const SoftmaxGradientArguments&, cudaStream_t);
  cudaError_t (*launch_key_gradient)(const KeyGradientArguments&, std::int64_t kv_heads,
                                     cudaStream_t);
};

Instance fp16_d64();
Instance fp16_d128();
Instance bf16_d64();
Instance bf16_d128();

}  // namespace ridgepoint::kernels::naive_backward
