#include "kernels/attention/gradient_reference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernels/attention/half.h"
#include "kernels/attention/parallel.h"

namespace ridgepoint::kernels {
namespace {

constexpr std::size_t no_index = std::numeric_limits<std::size_t>::max();

// Rows [first, first + rows) of a tensor as floats.
std::vector<float> decode_rows(const AttentionProblem& p, const std::vector<std::uint16_t>& tensor,
                               std::int64_t first, std::int64_t rows) {
  return decode(p.dtype, std::span(tensor).subspan(static_cast<std::size_t>(first * p.head_dim),
                                                   static_cast<std::size_t>(rows * p.head_dim)));
}

// Eight partial sums, which the compiler can keep in vector registers; the order is the same on
// every machine.
template <typename Real>
Real dot(const float* a, const float* b, std::size_t count) {
  constexpr std::size_t lanes = 8;
  Real partial[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      partial[lane] += static_cast<Real>(a[i + lane]) * static_cast<Real>(b[i + lane]);
    }
  }
  for (; i < count; ++i) {
    partial[0] += static_cast<Real>(a[i]) * static_cast<Real>(b[i]);
  }
  return std::accumulate(partial, partial + lanes, Real{0});
}

template <typename Real>
void add_scaled(Real factor, const float* row, std::vector<Real>& sum, std::size_t first,
                std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    sum[first + i] += factor * static_cast<Real>(row[i]);
  }
}

// What is asked of one key head and the query heads that read it: indices into the rows asked for.
struct Group {
  std::int64_t kv_head = 0;
  std::vector<std::size_t> query_rows;
  std::vector<std::size_t> key_rows;
};

// P and dS of one query row.
template <typename Real>
class RowGradient {
 public:
  RowGradient(const AttentionProblem& p, Arithmetic arithmetic)
      : p_(p), arithmetic_(arithmetic), scale_(static_cast<Real>(resolved_softmax_scale(p))) {}

  std::vector<Real> probabilities;  // as the operand of dV
  std::vector<Real> ds;             // as the operand of dQ and dK, without the scale

  void solve(const float* q, const float* d_o, const std::vector<float>& k,
             const std::vector<float>& v, std::int64_t row) {
    const auto d = static_cast<std::size_t>(p_.head_dim);
    const auto keys = static_cast<std::size_t>(visible_keys(p_, row));
    const bool through_hbm = arithmetic_ == Arithmetic::rounded_scores;
    probabilities.resize(keys);
    ds.resize(keys);
    Real max = -std::numeric_limits<Real>::infinity();
    for (std::size_t j = 0; j < keys; ++j) {
      probabilities[j] = rounded(dot<Real>(q, &k[j * d], d) * scale_, through_hbm);
      max = std::max(max, probabilities[j]);
    }
    Real sum = 0;
    for (Real& x : probabilities) {
      x = std::exp(x - max);
      sum += x;
    }
    Real delta = 0;
    for (std::size_t j = 0; j < keys; ++j) {
      probabilities[j] = rounded(probabilities[j] / sum, through_hbm);
      ds[j] = rounded(dot<Real>(d_o, &v[j * d], d), through_hbm);
      delta += probabilities[j] * ds[j];
    }
    if (arithmetic_ == Arithmetic::rounded_probabilities) {
      // A fused kernel has D from the O that was kept, in 16 bits.
      std::vector<Real> o(d);
      for (std::size_t j = 0; j < keys; ++j) {
        add_scaled(rounded(probabilities[j], true), &v[j * d], o, 0, d);
      }
      delta = 0;
      for (std::size_t c = 0; c < d; ++c) {
        delta += rounded(o[c], true) * static_cast<Real>(d_o[c]);
      }
    }
    for (std::size_t j = 0; j < keys; ++j) {
      ds[j] = rounded(probabilities[j] * (ds[j] - delta), arithmetic_ != Arithmetic::exact);
      probabilities[j] = rounded(probabilities[j], arithmetic_ != Arithmetic::exact);
    }
  }

 private:
  Real rounded(Real value, bool to_16_bits) const {
    return to_16_bits ? static_cast<Real>(round_to(p_.dtype, static_cast<float>(value))) : value;
  }

  AttentionProblem p_;
  Arithmetic arithmetic_;
  Real scale_;
};

std::vector<Group> make_groups(const AttentionProblem& p, std::span<const RowId> query_rows,
                               std::span<const RowId> key_rows) {
  std::vector<Group> all(static_cast<std::size_t>(p.batch) * static_cast<std::size_t>(p.kv_heads));
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].kv_head = static_cast<std::int64_t>(i);
  }
  const auto group_of = [&](std::int64_t batch, std::int64_t kv_head) -> Group& {
    return all[static_cast<std::size_t>(batch * p.kv_heads + kv_head)];
  };
  for (std::size_t i = 0; i < query_rows.size(); ++i) {
    group_of(query_rows[i].batch, query_rows[i].head / (p.heads / p.kv_heads))
        .query_rows.push_back(i);
  }
  for (std::size_t i = 0; i < key_rows.size(); ++i) {
    group_of(key_rows[i].batch, key_rows[i].head).key_rows.push_back(i);
  }
  return all;
}

template <typename Real>
void solve_group(const AttentionProblem& p, const AttentionData& data,
                 const std::vector<std::uint16_t>& d_o, std::span<const RowId> query_rows,
                 std::span<const RowId> key_rows, const Group& group, Arithmetic arithmetic,
                 GradientRows& result) {
  const auto d = static_cast<std::size_t>(p.head_dim);
  const auto scale = static_cast<Real>(resolved_softmax_scale(p));
  const std::vector<float> k = decode_rows(p, data.k, group.kv_head * p.seqlen_k, p.seqlen_k);
  const std::vector<float> v = decode_rows(p, data.v, group.kv_head * p.seqlen_k, p.seqlen_k);
  const auto write = [&](const std::vector<Real>& sum, std::size_t from, std::size_t to,
                         Real factor, std::vector<double>& out) {
    for (std::size_t c = 0; c < d; ++c) {
      const Real value = sum[from + c] * factor;
      out[to + c] = arithmetic == Arithmetic::exact
                        ? static_cast<double>(value)
                        : static_cast<double>(round_to(p.dtype, static_cast<float>(value)));
    }
  };
  RowGradient<Real> gradient(p, arithmetic);
  std::vector<Real> dk(group.key_rows.size() * d);
  std::vector<Real> dv(group.key_rows.size() * d);
  const std::int64_t heads = p.heads / p.kv_heads;
  for (std::int64_t head = group.kv_head * heads; head < (group.kv_head + 1) * heads; ++head) {
    std::vector<std::size_t> wanted(static_cast<std::size_t>(p.seqlen_q), no_index);
    for (const std::size_t index : group.query_rows) {
      const RowId& id = query_rows[index];
      if (std::int64_t{id.batch} * p.heads + id.head == head) {
        wanted[static_cast<std::size_t>(id.row)] = index;
      }
    }
    const std::vector<float> q = decode_rows(p, data.q, head * p.seqlen_q, p.seqlen_q);
    const std::vector<float> gradient_rows = decode_rows(p, d_o, head * p.seqlen_q, p.seqlen_q);
    for (std::size_t row = 0; row < wanted.size(); ++row) {
      if (wanted[row] == no_index && group.key_rows.empty()) {
        continue;
      }
      gradient.solve(&q[row * d], &gradient_rows[row * d], k, v, static_cast<std::int64_t>(row));
      const std::size_t keys = gradient.ds.size();
      if (wanted[row] != no_index) {
        std::vector<Real> dq(d);
        for (std::size_t j = 0; j < keys; ++j) {
          add_scaled(gradient.ds[j], &k[j * d], dq, 0, d);
        }
        write(dq, 0, wanted[row] * d, scale, result.dq);
      }
      for (std::size_t i = 0; i < group.key_rows.size(); ++i) {
        const auto key = static_cast<std::size_t>(key_rows[group.key_rows[i]].row);
        if (key < keys) {
          add_scaled(gradient.probabilities[key], &gradient_rows[row * d], dv, i * d, d);
          add_scaled(gradient.ds[key], &q[row * d], dk, i * d, d);
        }
      }
    }
  }
  for (std::size_t i = 0; i < group.key_rows.size(); ++i) {
    write(dk, i * d, group.key_rows[i] * d, scale, result.dk);
    write(dv, i * d, group.key_rows[i] * d, Real{1}, result.dv);
  }
}

template <typename Real>
GradientRows solve(const AttentionProblem& p, const AttentionData& data,
                   const std::vector<std::uint16_t>& d_o, std::span<const RowId> query_rows,
                   std::span<const RowId> key_rows, Arithmetic arithmetic) {
  const auto d = static_cast<std::size_t>(p.head_dim);
  GradientRows result{std::vector<double>(query_rows.size() * d),
                      std::vector<double>(key_rows.size() * d),
                      std::vector<double>(key_rows.size() * d)};
  const std::vector<Group> groups = make_groups(p, query_rows, key_rows);
  parallel_for(static_cast<std::int64_t>(groups.size()), [&](std::int64_t g) {
    const Group& group = groups[static_cast<std::size_t>(g)];
    if (!group.query_rows.empty() || !group.key_rows.empty()) {
      solve_group<Real>(p, data, d_o, query_rows, key_rows, group, arithmetic, result);
    }
  });
  return result;
}

}  // namespace

std::vector<RowId> sample_key_rows(const AttentionProblem& p, std::int64_t count,
                                   std::uint64_t seed) {
  AttentionProblem keys_as_queries = p;
  keys_as_queries.heads = p.kv_heads;
  keys_as_queries.seqlen_q = p.seqlen_k;
  return sample_rows(keys_as_queries, count, seed);
}

GradientRows reference_gradient_rows(const AttentionProblem& p, const AttentionData& data,
                                     const std::vector<std::uint16_t>& d_o,
                                     std::span<const RowId> query_rows,
                                     std::span<const RowId> key_rows, Arithmetic arithmetic) {
  return arithmetic == Arithmetic::exact
             ? solve<double>(p, data, d_o, query_rows, key_rows, arithmetic)
             : solve<float>(p, data, d_o, query_rows, key_rows, arithmetic);
}

}  // namespace ridgepoint::kernels
