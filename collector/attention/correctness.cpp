#include <fmt/format.h>

#include "collector/attention/gradient_correctness.h"
#include "kernels/attention/accuracy.h"

namespace ridgepoint::collector {
namespace {

// Rows cost 4 * seqlen_k * head_dim double-precision operations each, three times over. Up to this
// many multiply-adds every row is checked, above it a sample.
constexpr double all_rows_limit = 2e9;
constexpr std::int64_t sampled_rows = 256;

}  // namespace

Result<std::vector<Correctness>> check_correctness(const AttentionBench& bench, std::uint64_t seed,
                                                   std::vector<Issue>& issues,
                                                   const ProgressSink& progress) {
  if (bench.backward()) {
    return check_gradient_correctness(bench, seed, issues, progress);
  }
  const kernels::AttentionProblem& problem = bench.problem();
  const std::int64_t total = row_count(problem);
  const double work = static_cast<double>(total) * problem.seqlen_k * problem.head_dim;
  const bool all = work <= all_rows_limit || total <= sampled_rows;
  std::vector<kernels::RowId> rows =
      all ? kernels::all_rows(problem) : kernels::sample_rows(problem, sampled_rows, seed);
  report(progress, "correctness", "computing the double-precision reference");
  const kernels::AccuracyBasis basis =
      kernels::make_accuracy_basis(problem, bench.data(), std::move(rows));

  std::vector<Correctness> results;
  std::vector<std::uint16_t> o;
  std::vector<float> lse;
  for (const MeasuredVariant& variant : bench.variants()) {
    report(progress, "correctness", "checking " + variant.name(),
           static_cast<std::int64_t>(results.size()),
           static_cast<std::int64_t>(bench.variants().size()));
    const Status ran = bench.poison_outputs()
                           .and_then([&] { return bench.run(variant); })
                           .and_then([&] { return bench.synchronise("running " + variant.name()); })
                           .and_then([&] { return bench.read_outputs(o, lse); });
    if (!ran) {
      return tl::make_unexpected(ran.error());
    }
    const kernels::AccuracyResult accuracy = kernels::check_accuracy(basis, o, lse);
    Correctness result;
    result.rows_checked = static_cast<std::int64_t>(basis.rows.size());
    result.rows_total = total;
    result.method = all ? "all rows" : fmt::format("{} sampled rows", result.rows_checked);
    result.max_abs_error = accuracy.max_abs_error;
    result.reference_16bit_max_abs_error = basis.rounded_max_abs_error;
    result.lse_max_abs_error = accuracy.lse_max_abs_error;
    result.passed = accuracy.passed();
    if (!result.passed) {
      issues.push_back({"correctness.failed", variant.name() + ": " + accuracy.failure});
    }
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace ridgepoint::collector
