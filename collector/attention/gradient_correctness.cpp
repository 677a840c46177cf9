#include "collector/attention/gradient_correctness.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/attention/gradient_accuracy.h"

namespace ridgepoint::collector {
namespace {

constexpr std::int64_t sampled_query_rows = 256;
constexpr std::int64_t sampled_key_rows = 128;
// A key row costs a pass over its head: 4 products of the reference, three times over. Heads are
// taken until there are this many multiply-adds.
constexpr double key_head_limit = 3e10;
// A small problem is checked whole. Beyond its passes, every key row takes two additions of a row.
constexpr double all_rows_limit = 4e9;

struct Rows {
  std::vector<kernels::RowId> query;
  std::vector<kernels::RowId> key;
  std::string method;
};

Rows rows_of(const kernels::AttentionProblem& p, std::uint64_t seed) {
  const std::int64_t key_heads = std::int64_t{p.batch} * p.kv_heads;
  const double a_head =
      12.0 * p.heads / p.kv_heads * p.seqlen_q * static_cast<double>(p.seqlen_k) * p.head_dim;
  if (a_head * static_cast<double>(key_heads) <= all_rows_limit) {
    return {kernels::all_rows(p), kernels::sample_key_rows(p, key_heads * p.seqlen_k, seed),
            "all rows"};
  }
  const auto heads = static_cast<std::int64_t>(std::max(1.0, key_head_limit / a_head));
  Rows rows{kernels::sample_rows(p, sampled_query_rows, seed),
            kernels::sample_key_rows(p, sampled_key_rows, seed, heads), ""};
  rows.method =
      fmt::format("{} sampled query rows and {} sampled key rows of {} of {} key heads",
                  rows.query.size(), rows.key.size(), std::min(heads, key_heads), key_heads);
  return rows;
}

}  // namespace

Result<std::vector<Correctness>> check_gradient_correctness(const AttentionBench& bench,
                                                            std::uint64_t seed,
                                                            std::vector<Issue>& issues,
                                                            const ProgressSink& progress) {
  const kernels::AttentionProblem& problem = bench.problem();
  Rows rows = rows_of(problem, seed);
  report(progress, "correctness", "computing the double-precision reference");
  const kernels::GradientBasis basis = kernels::make_gradient_basis(
      problem, bench.data(), bench.d_o(), std::move(rows.query), std::move(rows.key));

  std::vector<Correctness> results;
  AttentionBench::Gradients gradients;
  for (const MeasuredVariant& variant : bench.variants()) {
    report(progress, "correctness", "checking " + variant.name(),
           static_cast<std::int64_t>(results.size()),
           static_cast<std::int64_t>(bench.variants().size()));
    const Status ran = bench.poison_outputs()
                           .and_then([&] { return bench.run(variant); })
                           .and_then([&] { return bench.synchronise("running " + variant.name()); })
                           .and_then([&] { return bench.read_gradients(gradients); });
    if (!ran) {
      return tl::make_unexpected(ran.error());
    }
    const kernels::GradientAccuracy accuracy =
        kernels::check_gradients(basis, gradients.dq, gradients.dk, gradients.dv);
    Correctness result;
    result.method = rows.method;
    result.rows_checked =
        static_cast<std::int64_t>(basis.query_rows.size() + basis.key_rows.size());
    result.rows_total =
        row_count(problem) + std::int64_t{problem.batch} * problem.kv_heads * problem.seqlen_k;
    const char* const names[] = {"dQ", "dK", "dV"};
    for (std::size_t t = 0; t < 3; ++t) {
      result.tensors.push_back(
          {names[t], accuracy.max_abs_error[t], basis.rounded_max_abs_error[t]});
      result.max_abs_error = std::max(result.max_abs_error, accuracy.max_abs_error[t]);
      result.reference_16bit_max_abs_error =
          std::max(result.reference_16bit_max_abs_error, basis.rounded_max_abs_error[t]);
    }
    result.passed = accuracy.failure.empty();
    if (!result.passed) {
      issues.push_back({"correctness.failed", variant.name() + ": " + accuracy.failure});
    }
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace ridgepoint::collector
