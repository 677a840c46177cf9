// Numbers for kernels and launch shapes, the same in every process: what a first run found out is
// told to the next in an environment variable, where names of templates would not fit.
#pragma once

#include <cstdint>
#include <string_view>

#include "analyzer/session/session.h"

namespace ridgepoint::collector {

// FNV-1a, 64 bits: offset basis and prime as published by Fowler, Noll and Vo.
constexpr std::uint64_t kernel_key(std::string_view mangled) {
  std::uint64_t key = 0xcbf29ce484222325U;
  for (const char c : mangled) {
    key = (key ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }
  return key;
}

constexpr std::uint64_t launch_key(std::uint64_t kernel, const Dim3& grid, const Dim3& block) {
  for (const std::uint32_t extent : {grid.x, grid.y, grid.z, block.x, block.y, block.z}) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
      kernel = (kernel ^ (extent >> shift & 0xffU)) * 0x100000001b3U;
    }
  }
  return kernel;
}

}  // namespace ridgepoint::collector
