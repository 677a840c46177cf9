// The IO model of split-KV: the attention kernel reads every key and value once a tile of packed
// query rows, whatever the number of parts; what the parts add are their partial results, written
// by the one kernel and read by the other.
#include <algorithm>

#include "analyzer/attention/io_parts.h"
#include "analyzer/attention/split_kv.h"

namespace ridgepoint {

KernelIo split_attention_io(const AttentionShape& shape, const PlannedKernel& kernel,
                            const IoMachine& machine) {
  const SplitKvTile tile = {kernel.tile.block_m, kernel.tile.block_n};
  const std::int64_t splits = std::max<std::int64_t>(1, kernel.splits);
  const double results =
      splits > 1 ? partial_bytes(shape, splits) : query_bytes(shape) + lse_bytes(shape);
  // Without a mask this is every key once; causal tiles of few rows may see fewer.
  const double keys_seen = packed_keys(shape, tile) / static_cast<double>(shape.seqlen_k);
  const double passes = packed_tiles(shape, tile.block_m) * keys_seen;
  KernelIo io;
  io.hbm = {query_bytes(shape) + 2 * key_bytes(shape),
            std::max(0.0, results - machine.l2_unwritten_bytes),
            splits > 1 ? "split attention: Q + K + V + for each part O in FP32 and its sums"
                       : "split attention in one part: Q + K + V + O + LSE"};
  if (machine.l2_unwritten_bytes > 0) {
    io.hbm.formula += ", less what of them is still in L2 at the end";
  }
  io.l2 = {static_cast<double>(splits) * query_bytes(shape) + passes * 2 * key_bytes(shape),
           results,
           "split attention: Q for every part + K and V for every tile of packed query rows + the "
           "parts' O in FP32 and sums"};
  add_crossings(io, query_bytes(shape) + 2 * key_bytes(shape), machine);
  return io;
}

KernelIo combine_io(const AttentionShape& shape, std::int64_t splits, const IoMachine& machine) {
  const double partials = partial_bytes(shape, splits);
  const double written = query_bytes(shape) + lse_bytes(shape);
  KernelIo io;
  io.hbm = {read_from_hbm(partials, machine), std::max(0.0, written - machine.l2_unwritten_bytes),
            "combine: read the parts' O in FP32 and sums, write O + LSE"};
  io.l2 = {partials, written, io.hbm.formula};
  add_crossings(io, partials, machine);
  return io;
}

}  // namespace ridgepoint
