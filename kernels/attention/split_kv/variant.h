// The split-KV variant: Flash-Decoding, for few queries and many keys.
#pragma once

#include "kernels/attention/variant.h"

namespace ridgepoint::kernels::split_kv {

const AttentionVariant& variant();

}  // namespace ridgepoint::kernels::split_kv
