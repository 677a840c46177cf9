// The fused variant: one FlashAttention-2 kernel.
#pragma once

#include "kernels/attention/variant.h"

namespace ridgepoint::kernels::fused {

const AttentionVariant& variant();

}  // namespace ridgepoint::kernels::fused
