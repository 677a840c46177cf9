#include "reports/presenters/cells.h"
#include "reports/presenters/tables.h"

namespace ridgepoint {
namespace {

constexpr const char* by_model = "Predicted by the IO model";

std::vector<Column> columns(bool predicted) {
  return {
      {"variant", "Variant", "Implementation of the same problem", Unit::text},
      predicted ? Column{"time_s", "Least time", "That the theoretical roofs allow", Unit::second}
                : Column{"time_s", "Time",
                         "Median latency of the whole variant, else the sum of kernel times",
                         Unit::second},
      {"speedup", "Speed-up", "Time of the first variant / time of this one", Unit::factor},
      {"p99_s", "P99", "99th percentile of the latency repeats", Unit::second},
      {"flop_per_s", "Analytic FLOP rate", "FLOP of the problem / time, whatever was executed",
       Unit::flop_per_s},
      {"hbm_bytes", "HBM bytes", predicted ? by_model : "Measured: DRAM read + write", Unit::byte},
      {"l2_bytes", "L2 bytes", predicted ? by_model : "Measured: all that L2 gave and took",
       Unit::byte},
      {"smem_bytes", "SMEM bytes",
       predicted ? by_model : "Measured: shared-memory wavefronts x 128", Unit::byte},
      {"intensity_hbm", "HBM intensity",
       predicted ? "FLOP executed / HBM bytes" : "FLOP counted / HBM bytes", Unit::flop_per_byte},
      {"tokens_per_s", "Tokens", "Query positions of all sequences / time", Unit::token_per_s},
      {"p50_s", "P50", "Median of the latency repeats", Unit::second},
      {"p90_s", "P90", "90th percentile of the latency repeats", Unit::second},
      {"repeats", "Repeats", "Latency repeats timed", Unit::count},
      {"kernels", "Kernels", "Kernels the variant launches", Unit::count},
      {"workspace_bytes", "Workspace", "Device memory beside inputs and outputs", Unit::byte},
      {"compulsory_bytes", "Compulsory", "Inputs read once, outputs written once", Unit::byte},
      {"max_error", "Max error", "Largest absolute error against the double-precision reference",
       Unit::none},
      {"correct", "Correct", "Whether the error is within the bound of a 16-bit pipeline",
       Unit::text},
      {"cost_per_million_tokens", "Cost of 1M tokens",
       "Price of a GPU hour / tokens in that hour, in the price's currency", Unit::none},
      {"power_w", "Power", "Mean of the whole device while the variant ran back to back",
       Unit::watt},
      {"energy_j", "Energy a run",
       "That power x the time of a run back to back; of the whole device, idle power included",
       Unit::joule},
      {"flop_per_j", "FLOP a joule", "FLOP of the problem / energy", Unit::flop_per_joule},
      {"tokens_per_j", "Tokens a joule", "Query positions of all sequences / energy",
       Unit::token_per_joule},
  };
}

std::vector<Column> backward_columns(bool predicted) {
  const Column counted{"flop_counted", predicted ? "FLOP" : "FLOP counted",
                       "Of all kernels; a variant that computes P again executes a fifth product",
                       Unit::flop};
  return {{"saved_bytes", "Kept from forward",
           "Device memory kept from the forward pass beyond O and the LSE", Unit::byte},
          counted,
          {"flop_of_analytic", "FLOP/analytic",
           "FLOP counted / analytic FLOP, which are those of five products", Unit::factor}};
}

std::vector<Cell> cells_of(const VariantAnalysis& v, bool predicted) {
  const auto latency = [&](double LatencyStats::*field) {
    return number_cell(v.latency ? std::optional<double>((*v.latency).*field) : std::nullopt);
  };
  const auto moved = [&](MemoryLevel level) {
    return number_cell(predicted ? v.traffic[level].predicted : v.traffic[level].measured.total);
  };
  const std::optional<std::int64_t> repeats =
      v.latency ? std::optional<std::int64_t>(v.latency->count) : std::nullopt;
  const std::optional<double> error =
      v.correctness ? std::optional<double>(v.correctness->max_abs_error) : std::nullopt;
  const std::string correct = v.correctness ? (v.correctness->passed ? "yes" : "NO") : "";
  return {text_cell(v.name),
          number_cell(v.time_s),
          number_cell(v.speedup_over_first),
          latency(&LatencyStats::p99),
          number_cell(v.achieved_flop_per_s),
          moved(MemoryLevel::hbm),
          moved(MemoryLevel::l2),
          moved(MemoryLevel::smem),
          number_cell(v.intensity[MemoryLevel::hbm]),
          number_cell(v.tokens_per_s),
          latency(&LatencyStats::p50),
          latency(&LatencyStats::p90),
          count_cell(repeats),
          Cell(static_cast<double>(v.kernels.size())),
          count_cell(v.workspace_bytes),
          number_cell(v.compulsory_bytes),
          number_cell(error),
          text_cell(correct),
          number_cell(v.cost_per_million_tokens),
          number_cell(v.power_w),
          number_cell(v.energy_j),
          number_cell(v.flop_per_j),
          number_cell(v.tokens_per_j)};
}

std::vector<Cell> backward_cells_of(const VariantAnalysis& v) {
  const auto of_analytic = v.flop.total && v.analytic_flop
                               ? std::optional<double>(*v.flop.total / *v.analytic_flop)
                               : std::nullopt;
  return {count_cell(v.saved_bytes), number_cell(v.flop.total), number_cell(of_analytic)};
}

}  // namespace

Table variant_table(const Analysis& analysis) {
  const bool predicted = analysis.source == Source::predicted;
  const bool backward = analysis.attention && analysis.attention->direction == "backward";
  Table table{"variants", "Variants", columns(predicted), {}};
  if (backward) {
    const std::vector<Column> more = backward_columns(predicted);
    table.columns.insert(table.columns.end(), more.begin(), more.end());
  }
  for (const VariantAnalysis& v : analysis.variants) {
    Row row;
    row.cells = cells_of(v, predicted);
    if (backward) {
      const std::vector<Cell> more = backward_cells_of(v);
      row.cells.insert(row.cells.end(), more.begin(), more.end());
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace ridgepoint
