// Shared-memory matrix descriptors of wgmma (PTX ISA 9.0, 9.7.15.5.1.2) for tiles in the 128-byte
// swizzle that CU_TENSOR_MAP_SWIZZLE_128B writes.
//
// A tile of R rows by C 16-bit columns lies as C/64 panels, each R rows of 128 bytes; within a
// panel the 16-byte chunk index of a row is XORed with the row's index modulo 8. Panels begin on
// 1024-byte boundaries, so that the descriptor's base offset is 0; the hardware applies the XOR to
// address bits, so a start address may advance by whole chunks inside a row.
//
//   bits  0-13 start address / 16       bits 16-29 leading byte offset / 16
//   bits 32-45 stride byte offset / 16  bits 62-63 swizzle, 1 = 128 bytes
//
// K-major operand (the product sums along the 64 columns: Q and K): stride offset 1024, from 8 rows
// to the next 8; leading offset unused. 16 steps of k further: +32 bytes inside a panel, then the
// next panel. MN-major operand (the product sums along the rows: V, "transposed"): stride offset
// 1024, from 8 rows of k to the next 8; leading offset the panel size, from 64 columns to the
// next 64. 16 steps of k further: +2048 bytes.
#pragma once

#include <cstdint>

namespace ridgepoint::kernels::ptx {

constexpr int swizzle_row_bytes = 128;
constexpr int swizzle_atom_bytes = 1024;  // 8 rows

template <int LeadingBytes>
__device__ __forceinline__ std::uint64_t matrix_descriptor(std::uint32_t address) {
  constexpr std::uint64_t fixed = (std::uint64_t{1} << 62) |
                                  (std::uint64_t{swizzle_atom_bytes >> 4} << 32) |
                                  (std::uint64_t{(LeadingBytes >> 4) & 0x3FFF} << 16);
  return fixed | ((address & 0x3FFFF) >> 4);
}

__device__ __forceinline__ std::uint64_t k_major_descriptor(std::uint32_t address) {
  return matrix_descriptor<16>(address);
}
template <int Rows>
__device__ __forceinline__ std::uint64_t mn_major_descriptor(std::uint32_t address) {
  return matrix_descriptor<Rows * swizzle_row_bytes>(address);
}

// The descriptor `bytes` further; the start address does not carry into the next field, shared
// memory being smaller than 2^18 bytes.
__device__ __forceinline__ std::uint64_t advance(std::uint64_t descriptor, int bytes) {
  return descriptor + static_cast<std::uint64_t>(bytes >> 4);
}

// Offset of k-step `step` (16 columns) of a K-major tile of `Rows` rows.
template <int Rows>
__device__ __forceinline__ constexpr int k_major_step(int step) {
  return step / 4 * Rows * swizzle_row_bytes + step % 4 * 32;
}
__device__ __forceinline__ constexpr int mn_major_step(int step) {
  return step * 16 * swizzle_row_bytes;
}

}  // namespace ridgepoint::kernels::ptx
