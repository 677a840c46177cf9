#include "kernels/attention/reference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

#include "kernels/attention/dot.h"
#include "kernels/attention/half.h"
#include "kernels/attention/parallel.h"

namespace ridgepoint::kernels {
namespace {

// K and V of one (batch, kv head) as floats.
struct KeyValueHead {
  std::vector<float> k;
  std::vector<float> v;
};

template <typename Real>
class RowSolver {
 public:
  RowSolver(const AttentionProblem& p, Arithmetic arithmetic)
      : p_(p), arithmetic_(arithmetic), scale_(static_cast<Real>(resolved_softmax_scale(p))) {}

  // Writes head_dim outputs, returns the LSE.
  double solve(const std::vector<float>& q, const KeyValueHead& head, std::int32_t row, double* o) {
    const auto d = static_cast<std::size_t>(p_.head_dim);
    const auto keys = static_cast<std::size_t>(visible_keys(p_, row));
    std::fill_n(o, d, 0.0);
    if (keys == 0) {
      return -std::numeric_limits<double>::infinity();
    }
    weights_.resize(keys);
    Real max = -std::numeric_limits<Real>::infinity();
    for (std::size_t j = 0; j < keys; ++j) {
      weights_[j] = rounded(dot<Real>(q.data(), &head.k[j * d], d) * scale_,
                            arithmetic_ == Arithmetic::rounded_scores);
      max = std::max(max, weights_[j]);
    }
    Real sum = 0;
    for (Real& weight : weights_) {
      weight = std::exp(weight - max);
      sum += weight;
    }
    if (arithmetic_ == Arithmetic::rounded_scores) {
      for (Real& weight : weights_) {
        weight /= sum;
      }
    }
    accumulated_.assign(d, Real{0});
    for (std::size_t j = 0; j < keys; ++j) {
      const Real weight = rounded(weights_[j], arithmetic_ != Arithmetic::exact);
      const float* const v = &head.v[j * d];
      for (std::size_t c = 0; c < d; ++c) {
        accumulated_[c] += weight * static_cast<Real>(v[c]);
      }
    }
    const Real divisor = arithmetic_ == Arithmetic::rounded_scores ? Real{1} : sum;
    for (std::size_t c = 0; c < d; ++c) {
      o[c] =
          static_cast<double>(rounded(accumulated_[c] / divisor, arithmetic_ != Arithmetic::exact));
    }
    return static_cast<double>(max + std::log(sum));
  }

 private:
  Real rounded(Real value, bool to_16_bits) const {
    return to_16_bits ? static_cast<Real>(round_to(p_.dtype, static_cast<float>(value))) : value;
  }

  AttentionProblem p_;
  Arithmetic arithmetic_;
  Real scale_;
  std::vector<Real> weights_;
  std::vector<Real> accumulated_;
};

std::int64_t kv_head_index(const AttentionProblem& p, const RowId& id) {
  return std::int64_t{id.batch} * p.kv_heads + id.head / (p.heads / p.kv_heads);
}

std::vector<float> decode_part(const AttentionProblem& p, const std::vector<std::uint16_t>& tensor,
                               std::int64_t first_row, std::int64_t rows) {
  return decode(p.dtype, std::span(tensor).subspan(static_cast<std::size_t>(first_row * p.head_dim),
                                                   static_cast<std::size_t>(rows * p.head_dim)));
}

// Rows of one (batch, kv head), so that its K and V are decoded once for all of them.
struct Group {
  std::int64_t kv_head;
  std::vector<std::size_t> rows;  // indices into the rows asked for
};

std::vector<Group> group_rows(const AttentionProblem& p, std::span<const RowId> rows) {
  // Enough groups to occupy every core, and each with so many rows that decoding pays.
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t rows_per_group = std::clamp<std::size_t>(rows.size() / (2 * cores), 4, 32);
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return kv_head_index(p, rows[a]) < kv_head_index(p, rows[b]);
  });
  std::vector<Group> groups;
  for (const std::size_t index : order) {
    const std::int64_t kv_head = kv_head_index(p, rows[index]);
    if (groups.empty() || groups.back().kv_head != kv_head ||
        groups.back().rows.size() == rows_per_group) {
      groups.push_back({kv_head, {}});
    }
    groups.back().rows.push_back(index);
  }
  return groups;
}

template <typename Real>
AttentionRows solve_rows(const AttentionProblem& p, const AttentionData& data,
                         std::span<const RowId> rows, Arithmetic arithmetic) {
  const auto d = static_cast<std::size_t>(p.head_dim);
  AttentionRows result{std::vector<double>(rows.size() * d), std::vector<double>(rows.size())};
  const std::vector<Group> groups = group_rows(p, rows);
  parallel_for(static_cast<std::int64_t>(groups.size()), [&](std::int64_t g) {
    const Group& group = groups[static_cast<std::size_t>(g)];
    const std::int64_t first_key = group.kv_head * p.seqlen_k;
    const KeyValueHead head{decode_part(p, data.k, first_key, p.seqlen_k),
                            decode_part(p, data.v, first_key, p.seqlen_k)};
    RowSolver<Real> solver(p, arithmetic);
    for (const std::size_t index : group.rows) {
      const std::vector<float> q = decode_part(p, data.q, row_index(p, rows[index]), 1);
      result.lse[index] = solver.solve(q, head, rows[index].row, &result.o[index * d]);
    }
  });
  return result;
}

RowId row_at(const AttentionProblem& p, std::int64_t index) {
  const std::int64_t head = index / p.seqlen_q;
  return {static_cast<std::int32_t>(head / p.heads), static_cast<std::int32_t>(head % p.heads),
          static_cast<std::int32_t>(index % p.seqlen_q)};
}

}  // namespace

std::vector<RowId> all_rows(const AttentionProblem& p) {
  return sample_rows(p, row_count(p), 0);
}

std::vector<RowId> sample_rows(const AttentionProblem& p, std::int64_t count, std::uint64_t seed) {
  const std::int64_t total = row_count(p);
  const std::int64_t wanted = std::min(count, total);
  std::vector<RowId> rows;
  rows.reserve(static_cast<std::size_t>(std::max<std::int64_t>(wanted, 0)));
  // One row from each of `wanted` equal parts, at a place that depends on the seed.
  std::uint64_t state = seed * 0x9E3779B97F4A7C15U + 0x632BE59BD9B4E019U;
  for (std::int64_t i = 0; i < wanted; ++i) {
    const std::int64_t begin = total / wanted * i + total % wanted * i / wanted;
    const std::int64_t end = total / wanted * (i + 1) + total % wanted * (i + 1) / wanted;
    state = state * 6364136223846793005U + 1442695040888963407U;
    const auto offset =
        static_cast<std::int64_t>((state >> 33) % static_cast<std::uint64_t>(end - begin));
    const bool last = i + 1 == wanted;
    rows.push_back(row_at(p, i == 0 ? 0 : last ? total - 1 : begin + offset));
  }
  return rows;
}

AttentionRows reference_rows(const AttentionProblem& p, const AttentionData& data,
                             std::span<const RowId> rows, Arithmetic arithmetic) {
  return arithmetic == Arithmetic::exact ? solve_rows<double>(p, data, rows, arithmetic)
                                         : solve_rows<float>(p, data, rows, arithmetic);
}

}  // namespace ridgepoint::kernels
