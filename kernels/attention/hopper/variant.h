// The Hopper variant: one warp-specialised kernel on TMA and WGMMA.
#pragma once

#include "kernels/attention/variant.h"

namespace ridgepoint::kernels::hopper {

const AttentionVariant& variant();

}  // namespace ridgepoint::kernels::hopper
