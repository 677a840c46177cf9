// What the shared-memory models of both directions share.
#pragma once

#include "analyzer/attention/flop.h"
#include "analyzer/attention/io_model.h"

namespace ridgepoint {

inline constexpr double wavefront_bytes = 128;
inline constexpr double copied_share = 0.25;  // of the bytes of cp.async that the counter sees

inline double bytes_of(double rows, double columns) {
  return attention_element_bytes * rows * columns;
}

// Staging of a result tile on its way out: written by the accumulators' layout, read in 16-byte
// rows.
inline void add_staging(IoBytes& sum, double tile_bytes, double tiles) {
  sum.read += tiles * tile_bytes;
  sum.write += tiles * tile_bytes;
}

}  // namespace ridgepoint
