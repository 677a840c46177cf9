// The naive variant: three kernels, with S and P in HBM between them.
#pragma once

#include "kernels/attention/variant.h"

namespace ridgepoint::kernels::naive {

const AttentionVariant& variant();

}  // namespace ridgepoint::kernels::naive
