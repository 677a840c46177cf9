// The variables of a loaded cubin. They are memory that no allocation call announces.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ridgepoint::collector {

struct CubinSymbols {
  std::vector<std::string> kernels;  // mangled; entry points and device functions alike
  std::vector<std::string> globals;  // mangled; __device__ and __constant__ variables
};

// Reads the symbol table of an ELF file in memory; empty when it is none, or broken.
CubinSymbols cubin_symbols(const void* image, std::size_t bytes);

}  // namespace ridgepoint::collector
