#include "analyzer/attention/tensors.h"

#include "analyzer/attention/io_parts.h"
#include "analyzer/attention/split_kv.h"

namespace ridgepoint {
namespace {

struct Uses {
  std::vector<TensorUse> all;
  Uses& in(const char* tensor, double bytes) { return add(tensor, bytes, false, false); }
  Uses& out(const char* tensor, double bytes) { return add(tensor, bytes, false, true); }
  Uses& take(const char* tensor, double bytes) { return add(tensor, bytes, true, false); }
  Uses& leave(const char* tensor, double bytes) { return add(tensor, bytes, true, true); }

 private:
  Uses& add(const char* tensor, double bytes, bool intermediate, bool written) {
    all.push_back({tensor, bytes, intermediate, written});
    return *this;
  }
};

struct Sizes {
  explicit Sizes(const AttentionShape& shape)
      : q(query_bytes(shape)),
        k(key_bytes(shape)),
        lse(lse_bytes(shape)),
        visible(matrix_bytes(shape, visible_pairs(shape))) {
    terms = row_term_bytes * query_rows(shape);
    sums = gradient_sum_bytes * query_rows(shape) * static_cast<double>(shape.head_dim);
  }
  double q, k, lse;
  double visible;  // a matrix of the pairs that the mask lets through
  double terms = 0, sums = 0;
};

Uses forward(const AttentionShape& shape, const KernelTileInfo& tile, std::int64_t splits) {
  const Sizes size(shape);
  const std::string& role = tile.role;
  const auto stored = [&](std::int64_t block_n) {
    return matrix_bytes(shape, stored_pairs(shape, tile.block_m, block_n));
  };
  Uses uses;
  if (role == "scores") {
    uses.in("Q", size.q).in("K", size.k).leave("S", stored(tile.block_n));
  } else if (role == "softmax") {
    uses.take("S", size.visible).leave("P", size.visible).out("LSE", size.lse);
  } else if (role == "output") {
    uses.take("P", stored(tile.block_k)).in("V", size.k).out("O", size.q);
  } else if (role == "attention" || (role == "split_attention" && splits < 2)) {
    uses.in("Q", size.q).in("K", size.k).in("V", size.k).out("O", size.q).out("LSE", size.lse);
  } else if (role == "split_attention") {
    uses.in("Q", size.q).in("K", size.k).in("V", size.k);
    uses.leave("O of the parts", partial_bytes(shape, splits));
  } else if (role == "combine") {
    uses.take("O of the parts", partial_bytes(shape, splits));
    uses.out("O", size.q).out("LSE", size.lse);
  }
  return uses;
}

Uses backward(const AttentionShape& shape, const KernelTileInfo& tile) {
  const Sizes size(shape);
  const std::string& role = tile.role;
  const auto stored = [&](std::int64_t block_n) {
    return matrix_bytes(shape, stored_pairs(shape, tile.block_m, block_n));
  };
  Uses uses;
  if (role == "rows") {
    uses.in("O", size.q).in("dO", size.q).in("LSE", size.lse);
    uses.leave("row terms", size.terms).leave("dQ sums", size.sums);
  } else if (role == "gradients") {
    uses.in("Q", size.q).in("K", size.k).in("V", size.k).in("dO", size.q);
    uses.take("row terms", size.terms).take("dQ sums", size.sums).leave("dQ sums", size.sums);
    uses.out("dK", size.k).out("dV", size.k);
  } else if (role == "conversion") {
    uses.take("dQ sums", size.sums).out("dQ", size.q);
  } else if (role == "d_scores") {
    uses.in("dO", size.q).in("V", size.k).leave("dP", stored(tile.block_n));
  } else if (role == "softmax_gradient") {
    uses.take("P", size.visible).take("dP", size.visible).leave("dS", size.visible);
  } else if (role == "query_gradient") {
    uses.take("dS", stored(tile.block_k)).in("K", size.k).out("dQ", size.q);
  } else if (role == "value_gradient") {
    uses.take("P", stored(tile.block_n)).in("dO", size.q).out("dV", size.k);
  } else if (role == "key_gradient") {
    uses.take("dS", stored(tile.block_n)).in("Q", size.q).out("dK", size.k);
  }
  return uses;
}

}  // namespace

std::vector<TensorUse> tensor_uses(const AttentionShape& shape, const KernelTileInfo& tile,
                                   std::int64_t splits) {
  if (!plausible(shape) || !plausible(tile)) {
    return {};
  }
  return (shape.direction == "backward" ? backward(shape, tile) : forward(shape, tile, splits)).all;
}

}  // namespace ridgepoint
