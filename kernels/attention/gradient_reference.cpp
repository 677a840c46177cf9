#include "kernels/attention/gradient_reference.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/attention/dot.h"
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

// Some rows of one query head: what is computed at a time. Every task has sums of its own, which
// are added up in the order of the tasks, so that the result does not depend on the threads.
struct Task {
  const Group* group = nullptr;
  std::int64_t head = 0;
  std::int64_t first_row = 0;
  std::int64_t rows = 0;
};

std::vector<Task> make_tasks(const AttentionProblem& p, const std::vector<Group>& groups) {
  constexpr std::int64_t rows_a_task = 256;
  std::vector<Task> tasks;
  const std::int64_t heads = p.heads / p.kv_heads;
  for (const Group& group : groups) {
    if (group.query_rows.empty() && group.key_rows.empty()) {
      continue;
    }
    for (std::int64_t head = group.kv_head * heads; head < (group.kv_head + 1) * heads; ++head) {
      for (std::int64_t row = 0; row < p.seqlen_q; row += rows_a_task) {
        tasks.push_back({&group, head, row, std::min(rows_a_task, p.seqlen_q - row)});
      }
    }
  }
  return tasks;
}

template <typename Real>
struct KeySums {
  std::vector<Real> dk;  // of the group's key rows
  std::vector<Real> dv;
};

template <typename Real>
class Solver {
 public:
  Solver(const AttentionProblem& p, const AttentionData& data,
         const std::vector<std::uint16_t>& d_o, std::span<const RowId> query_rows,
         std::span<const RowId> key_rows, Arithmetic arithmetic)
      : p_(p),
        data_(data),
        d_o_(d_o),
        query_rows_(query_rows),
        key_rows_(key_rows),
        arithmetic_(arithmetic),
        d_(static_cast<std::size_t>(p.head_dim)) {}

  GradientRows solve() {
    result_ = {std::vector<double>(query_rows_.size() * d_),
               std::vector<double>(key_rows_.size() * d_),
               std::vector<double>(key_rows_.size() * d_)};
    const std::vector<Group> groups = make_groups(p_, query_rows_, key_rows_);
    const std::vector<Task> tasks = make_tasks(p_, groups);
    std::vector<KeySums<Real>> sums(tasks.size());
    parallel_for(static_cast<std::int64_t>(tasks.size()), [&](std::int64_t t) {
      const auto index = static_cast<std::size_t>(t);
      sums[index] = solve_task(tasks[index]);
    });
    write_key_rows(tasks, sums);
    return std::move(result_);
  }

 private:
  // Writes the task's rows of dQ and returns its part of dK and dV.
  KeySums<Real> solve_task(const Task& task) {
    const Group& group = *task.group;
    const std::vector<std::size_t> wanted = wanted_rows(task);
    KeySums<Real> sums{std::vector<Real>(group.key_rows.size() * d_),
                       std::vector<Real>(group.key_rows.size() * d_)};
    if (group.key_rows.empty() && std::all_of(wanted.begin(), wanted.end(), [](std::size_t index) {
          return index == no_index;
        })) {
      return sums;
    }
    const std::vector<float> k = decode_rows(p_, data_.k, group.kv_head * p_.seqlen_k, p_.seqlen_k);
    const std::vector<float> v = decode_rows(p_, data_.v, group.kv_head * p_.seqlen_k, p_.seqlen_k);
    const std::int64_t first = task.head * p_.seqlen_q + task.first_row;
    const std::vector<float> q = decode_rows(p_, data_.q, first, task.rows);
    const std::vector<float> gradient_rows = decode_rows(p_, d_o_, first, task.rows);
    RowGradient<Real> gradient(p_, arithmetic_);
    for (std::size_t row = 0; row < wanted.size(); ++row) {
      if (wanted[row] == no_index && group.key_rows.empty()) {
        continue;
      }
      gradient.solve(&q[row * d_], &gradient_rows[row * d_], k, v,
                     task.first_row + static_cast<std::int64_t>(row));
      const std::size_t keys = gradient.ds.size();
      if (wanted[row] != no_index) {
        std::vector<Real> dq(d_);
        for (std::size_t j = 0; j < keys; ++j) {
          add_scaled(gradient.ds[j], &k[j * d_], dq, 0, d_);
        }
        write(dq, 0, wanted[row] * d_, static_cast<Real>(resolved_softmax_scale(p_)), result_.dq);
      }
      for (std::size_t i = 0; i < group.key_rows.size(); ++i) {
        const auto key = static_cast<std::size_t>(key_rows_[group.key_rows[i]].row);
        if (key < keys) {
          add_scaled(gradient.probabilities[key], &gradient_rows[row * d_], sums.dv, i * d_, d_);
          add_scaled(gradient.ds[key], &q[row * d_], sums.dk, i * d_, d_);
        }
      }
    }
    return sums;
  }

  // For each row of the task the index among the query rows asked for.
  std::vector<std::size_t> wanted_rows(const Task& task) const {
    std::vector<std::size_t> wanted(static_cast<std::size_t>(task.rows), no_index);
    for (const std::size_t index : task.group->query_rows) {
      const RowId& id = query_rows_[index];
      const std::int64_t row = id.row - task.first_row;
      if (std::int64_t{id.batch} * p_.heads + id.head == task.head && row >= 0 && row < task.rows) {
        wanted[static_cast<std::size_t>(row)] = index;
      }
    }
    return wanted;
  }

  void write_key_rows(const std::vector<Task>& tasks, std::vector<KeySums<Real>>& sums) {
    for (std::size_t t = 0; t < tasks.size();) {
      const Group& group = *tasks[t].group;
      KeySums<Real> total = std::move(sums[t]);
      for (++t; t < tasks.size() && tasks[t].group == &group; ++t) {
        for (std::size_t i = 0; i < total.dk.size(); ++i) {
          total.dk[i] += sums[t].dk[i];
          total.dv[i] += sums[t].dv[i];
        }
      }
      for (std::size_t i = 0; i < group.key_rows.size(); ++i) {
        const std::size_t to = group.key_rows[i] * d_;
        write(total.dk, i * d_, to, static_cast<Real>(resolved_softmax_scale(p_)), result_.dk);
        write(total.dv, i * d_, to, Real{1}, result_.dv);
      }
    }
  }

  void write(const std::vector<Real>& sum, std::size_t from, std::size_t to, Real factor,
             std::vector<double>& out) const {
    for (std::size_t c = 0; c < d_; ++c) {
      const Real value = sum[from + c] * factor;
      out[to + c] = arithmetic_ == Arithmetic::exact
                        ? static_cast<double>(value)
                        : static_cast<double>(round_to(p_.dtype, static_cast<float>(value)));
    }
  }

  const AttentionProblem& p_;
  const AttentionData& data_;
  const std::vector<std::uint16_t>& d_o_;
  std::span<const RowId> query_rows_;
  std::span<const RowId> key_rows_;
  Arithmetic arithmetic_;
  std::size_t d_;
  GradientRows result_;
};

}  // namespace

std::vector<RowId> sample_key_rows(const AttentionProblem& p, std::int64_t count,
                                   std::uint64_t seed, std::int64_t most_heads) {
  const std::int64_t all_heads = std::int64_t{p.batch} * p.kv_heads;
  const std::int64_t heads =
      std::clamp<std::int64_t>(most_heads, 1, std::max(all_heads, std::int64_t{1}));
  AttentionProblem keys_as_queries = p;
  keys_as_queries.batch = 1;
  keys_as_queries.heads = static_cast<std::int32_t>(heads);
  keys_as_queries.seqlen_q = p.seqlen_k;
  std::vector<RowId> rows = sample_rows(keys_as_queries, count, seed);
  for (RowId& id : rows) {
    // The first head, the last and those evenly between.
    const std::int64_t head = heads > 1 ? id.head * (all_heads - 1) / (heads - 1) : 0;
    id.batch = static_cast<std::int32_t>(head / p.kv_heads);
    id.head = static_cast<std::int32_t>(head % p.kv_heads);
  }
  return rows;
}

GradientRows reference_gradient_rows(const AttentionProblem& p, const AttentionData& data,
                                     const std::vector<std::uint16_t>& d_o,
                                     std::span<const RowId> query_rows,
                                     std::span<const RowId> key_rows, Arithmetic arithmetic) {
  return arithmetic == Arithmetic::exact
             ? Solver<double>(p, data, d_o, query_rows, key_rows, arithmetic).solve()
             : Solver<float>(p, data, d_o, query_rows, key_rows, arithmetic).solve();
}

}  // namespace ridgepoint::kernels
