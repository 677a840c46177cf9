#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analyzer/attention/flop.h"
#include "analyzer/rules/rule.h"
#include "analyzer/rules/scope.h"

namespace ridgepoint {
namespace {

constexpr std::int64_t fewest_key_tiles = 5;  // below, a split has nothing to divide
constexpr std::int64_t most_splits = 128;
constexpr double good_enough = 0.85;  // of the best efficiency: fewer splits write fewer partials

// Waves that `blocks` fill, over the waves they take.
double efficiency(double blocks, double sms) {
  const double waves = blocks / sms;
  return waves / std::ceil(waves);
}

std::int64_t splits_for(double blocks, double sms, std::int64_t key_tiles) {
  const std::int64_t most = std::min({most_splits, key_tiles, static_cast<std::int64_t>(sms)});
  double best = 0;
  for (std::int64_t s = 1; s <= most; ++s) {
    best = std::max(best, efficiency(blocks * static_cast<double>(s), sms));
  }
  for (std::int64_t s = 1; s <= most; ++s) {
    if (efficiency(blocks * static_cast<double>(s), sms) >= good_enough * best) {
      return s;
    }
  }
  return 1;
}

std::optional<Diagnosis> look(const RuleContext& context, const KernelAnalysis& kernel,
                              std::size_t index) {
  const auto blocks = static_cast<double>(count(kernel.grid));
  const auto sms = static_cast<double>(context.devices[index]->sm_count);
  const std::int64_t block_n = context.tiles[index].block_n;
  if (!context.analysis.attention || !wants_split_kv(context, kernel, index) || block_n <= 0) {
    return std::nullopt;
  }
  const AttentionShape& shape = *context.analysis.attention;
  const std::int64_t key_tiles = shape.seqlen_k / block_n;
  const std::int64_t splits = splits_for(blocks, sms, key_tiles);
  if (key_tiles < fewest_key_tiles || splits < 2) {
    return std::nullopt;
  }
  const auto s = static_cast<double>(splits);
  const double time_left = std::ceil(blocks * s / sms) / s;
  // Each split writes its rows of O in FP32 and their LSE; one kernel reads them again.
  const double partials = 2 * s * (2 * query_bytes(shape) + lse_bytes(shape));
  Diagnosis d;
  d.title = fmt::format("{}: {:.0f} query tiles for {:.0f} SMs; split the keys in {}",
                        kernel.short_name, blocks, sms, splits);
  d.explanation = fmt::format("{} of the SMs get no tile, and each tile walks all {} keys alone.",
                              percent((sms - blocks) / sms), shape.seqlen_k);
  d.evidence = {{"blocks", blocks, "1", 0.8 * sms},
                {"key tiles of a head", static_cast<double>(key_tiles), "1",
                 static_cast<double>(fewest_key_tiles)},
                {"bytes of partial results", partials, "byte", std::nullopt}};
  d.action = fmt::format(
      "Let {} blocks share the keys of each query tile (split-KV), each with its own O and "
      "log-sum-exp, and combine them: O = sum of exp(LSE_i - LSE) O_i.",
      splits);
  d.estimated_gain = bounded_gain(1 - time_left, 1);
  d.gain_formula = "1 - ceil(blocks x splits / SMs) / splits; combining the parts is left out";
  d.severity = severity_of_gain(*d.estimated_gain);
  return d;
}

}  // namespace
}  // namespace ridgepoint

namespace ridgepoint::rules {

Rule split_kv_for_small_grids() {
  return {"split_kv_for_small_grids",
          "the grid fills 80 % of the SMs or more, or a head has fewer than 5 key tiles",
          [](const RuleContext& context) { return for_each_kernel(context, look); }};
}

}  // namespace ridgepoint::rules
