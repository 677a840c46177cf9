// The IO model of attention backward (io_model.h says what it counts).
//
// Kept P: four products over matrices of one 16-bit element a pair. dP = dO V^T writes one, the
// derivative of the softmax reads P and dP and writes dS, dQ = dS K and dK = dS^T Q read dS, dV =
// P^T dO reads P: 2 bytes x 7 N^2 a head.
//
// Recomputation (FlashAttention-2, arXiv 2307.08691, algorithm 2, with the sums of dQ in FP32 as
// its section 3.1 has them): a thread block owns block_n keys and every query tile that sees them
// passes it, Q and dO coming in, dQ being added to the sums. So Q, dO and the sums move once for
// every key block through L2, and through HBM once while those of the heads at work fit the L2
// (arXiv 2205.14135, theorem 5, for the order Theta(N^2 d^2 / M)). Two small kernels stand around
// it: D and the zeros of the sums before, rounding dQ after.
#pragma once

#include <optional>

#include "analyzer/attention/io_model.h"

namespace ridgepoint {

// HBM and L2 of one kernel; empty for roles that no backward variant has.
std::optional<KernelIo> backward_hbm_and_l2(const AttentionShape& shape,
                                            const PlannedKernel& kernel, const IoMachine& machine);

}  // namespace ridgepoint
