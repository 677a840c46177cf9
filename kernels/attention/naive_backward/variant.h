// The naive backward variant: P is kept from the forward pass, dP and dS go through HBM.
#pragma once

#include "kernels/attention/backward_variant.h"

namespace ridgepoint::kernels::naive_backward {

const AttentionBackwardVariant& variant();

}  // namespace ridgepoint::kernels::naive_backward
