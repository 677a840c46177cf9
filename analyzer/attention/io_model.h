// The IO model: bytes an implementation of attention must move through HBM and L2, from the
// problem, its tiles and the sizes of the caches. It explains the difference between naive and
// fused attention before anything is measured, and is put beside the measurement afterwards. It
// follows the IO analysis of FlashAttention (arXiv 2205.14135, theorem 2: standard attention moves
// Theta(N d + N^2) bytes, fused attention Theta(N^2 d^2 / M) from the memory above the tile), with
// the tile's real size in the place of M and the L2 between HBM and the SMs.
//
// HBM bytes are those that the counters see while the variant runs. Of a fused kernel's output the
// last part still lies in L2 then; in a pipeline of kernels the reads of the last one have driven
// out what the earlier ones wrote, and its own.
//
// Backward: backward_io.h. Shared memory: smem_model.h and backward_smem.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/attention/planned_kernel.h"
#include "analyzer/session/session.h"

namespace ridgepoint {

struct IoBytes {
  double read = 0;
  double write = 0;
  std::string formula;  // in words and symbols
  double total() const { return read + write; }
};

struct KernelIo {
  IoBytes hbm;
  IoBytes l2;
  IoBytes smem;
  // Bytes that SMs receive from L2: l2.read without what crosses between its partitions. L2 looks
  // up fewer where several SMs ask for the same line at once: requests meet on their way and are
  // answered together. How many do depends on how nearly the SMs walk in step (39 to 100 % of what
  // SMs received left L2 in the kernels recorded on an H200), which no size of the problem tells;
  // so l2 is what is looked up when none meet, and the most that it can be.
  double sm_reads = 0;
};

// What the model must know about the machine.
struct IoMachine {
  std::int64_t sm_count = 0;
  // L2 that data shared by all SMs can fill: the whole L2, divided by its partitions where each
  // keeps a copy.
  double l2_effective_bytes = 0;
  // Share of the bytes that L2's counters see twice, because they cross from one partition to the
  // other: of what is written, and of what is read for the first time.
  double l2_crossing_share = 0;
  // Output of a fused kernel that still lies in L2 when it ends, and so is not in its HBM counters.
  double l2_unwritten_bytes = 0;
  std::int64_t l2_partitions = 1;  // each keeps its own copy of what both read
};

// Query heads whose tiles the causal Hopper kernel hands out together, longest first: those whose K
// and V take 32 MiB (kernels/attention/hopper/plan.h).
std::int64_t hopper_section_heads(const AttentionShape& shape);

// Keys that one block of the scores kernel walks past its tile of Q.
std::int64_t keys_a_block(const AttentionShape& shape, const PlannedKernel& kernel);

// `blocks_per_sm` tells how many blocks run at once and so how many heads' K and V are live
// together. Empty for roles the model does not know.
std::optional<KernelIo> predict_kernel_io(const AttentionShape& shape, const PlannedKernel& kernel,
                                          const IoMachine& machine);

// Sum over the kernels of a variant; empty when one of them is unknown.
std::optional<KernelIo> predict_variant_io(const AttentionShape& shape,
                                           const std::vector<PlannedKernel>& kernels,
                                           const IoMachine& machine);

}  // namespace ridgepoint
