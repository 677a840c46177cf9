// Shared-memory bytes of the backward kernels, counted as smem_model.h says, from how
// kernels/attention/{naive,fused,hopper}_backward share each product among warps.
#pragma once

#include "analyzer/attention/io_model.h"
#include "analyzer/attention/planned_kernel.h"

namespace ridgepoint {

// Empty bytes for a role it does not know.
IoBytes predict_backward_smem(const AttentionShape& shape, const PlannedKernel& kernel);

}  // namespace ridgepoint
