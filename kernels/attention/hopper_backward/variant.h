// The Hopper backward variant: recomputation, TMA and WGMMA. The sums of dQ are added by the copy
// engine as they come, or, in the deterministic variant, in the order of the keys.
#pragma once

#include "kernels/attention/backward_variant.h"

namespace ridgepoint::kernels::hopper_backward {

const AttentionBackwardVariant& variant();
const AttentionBackwardVariant& deterministic_variant();

}  // namespace ridgepoint::kernels::hopper_backward
