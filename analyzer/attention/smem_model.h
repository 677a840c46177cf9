// Bytes that a kernel of an attention variant moves through shared memory: wavefronts x 128, as
// l1tex__data_pipe_lsu_wavefronts_mem_shared counts them. Which operand is read how often is the
// kernel's construction (kernels/attention); what the counter makes of it was found on an H200:
// - ldmatrix, ordinary loads and stores: the bytes they move, as long as banks do not conflict;
// - a 16-byte cp.async of a warp (512 bytes): about one wavefront, not four;
// - a warp shuffle: one wavefront;
// - TMA copies: none.
#pragma once

#include "analyzer/attention/io_model.h"
#include "analyzer/attention/planned_kernel.h"

namespace ridgepoint {

// Empty bytes for a role it does not know. The shape and the tile must be plausible
// (predict_kernel_io checks them).
IoBytes predict_smem(const AttentionShape& shape, const PlannedKernel& kernel);

}  // namespace ridgepoint
