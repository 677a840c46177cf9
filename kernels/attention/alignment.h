// Where tensors may begin: every kernel copies 16 bytes at a time, by cp.async, TMA or vector
// loads.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

namespace ridgepoint::kernels {

struct NamedAddress {
  const char* name;
  const void* address;
};

// Empty when all addresses are multiples of 16 (null is one); otherwise a sentence on the first
// that is not.
inline std::string misaligned_address(std::initializer_list<NamedAddress> tensors) {
  constexpr std::uintptr_t alignment_bytes = 16;
  for (const NamedAddress& tensor : tensors) {
    if (reinterpret_cast<std::uintptr_t>(tensor.address) % alignment_bytes != 0) {
      return std::string(tensor.name) +
             " begins at an address that is not a multiple of 16 bytes, and the kernels copy 16 "
             "bytes at a time: pass a copy of it, or a view that begins at such an address";
    }
  }
  return {};
}

}  // namespace ridgepoint::kernels
