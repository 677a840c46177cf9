// The portable backward variant: recomputation with mma.sync, for compute capability 8.0 and later.
#pragma once

#include "kernels/attention/backward_variant.h"

namespace ridgepoint::kernels::fused_backward {

const AttentionBackwardVariant& variant();

}  // namespace ridgepoint::kernels::fused_backward
