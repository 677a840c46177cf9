// The split-KV variant: Flash-Decoding, for few queries and many keys.
#pragma once

#include <cstdint>

#include "kernels/attention/variant.h"

namespace ridgepoint::kernels::split_kv {

const AttentionVariant& variant();

// Multiprocessors of the current device, which the number of parts follows. Without a device
// nothing can be launched, and plans are those for an H200's 132.
std::int64_t processors();

}  // namespace ridgepoint::kernels::split_kv
