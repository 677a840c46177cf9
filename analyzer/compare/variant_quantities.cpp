// The numbers of one variant in the JSON report.
#include "analyzer/compare/split_quantities.h"

namespace ridgepoint {
namespace {

using V = VariantAnalysis;
using Value = std::optional<double>;

template <double LatencyStats::*member>
Value latency(const V& v) {
  return v.latency ? Value((*v.latency).*member) : std::nullopt;
}
template <double Correctness::*member>
Value error(const V& v) {
  return v.correctness ? Value((*v.correctness).*member) : std::nullopt;
}
Value lse_error(const V& v) {
  return v.correctness ? v.correctness->lse_max_abs_error : std::nullopt;
}
template <std::int64_t Correctness::*member>
Value rows(const V& v) {
  return v.correctness ? Value(static_cast<double>((*v.correctness).*member)) : std::nullopt;
}
template <MemoryLevel level, std::optional<double> Traffic::*member>
Value bytes(const V& v) {
  return v.traffic[level].measured.*member;
}
template <MemoryLevel level>
Value predicted(const V& v) {
  return v.traffic[level].predicted;
}
template <MemoryLevel level>
Value intensity(const V& v) {
  return v.intensity[level];
}

template <MemoryLevel level>
void add_level(std::vector<Quantity<V>>& list, const std::string& id, const std::string& label) {
  constexpr Basis counters = Basis::counters;
  list.push_back({{id + ".measured", label + " bytes", "byte", Better::lower, counters},
                  &bytes<level, &Traffic::total>});
  list.push_back(
      {{id + ".predicted", label + " bytes predicted", "byte", Better::neither, Basis::fixed},
       &predicted<level>});
  list.push_back({{id + ".read", label + " bytes read", "byte", Better::lower, counters},
                  &bytes<level, &Traffic::read>});
  list.push_back({{id + ".write", label + " bytes written", "byte", Better::lower, counters},
                  &bytes<level, &Traffic::write>});
  list.push_back({{id + ".requested", label + " bytes asked for", "byte", Better::lower, counters},
                  &bytes<level, &Traffic::requested>});
  list.push_back(
      {{id + ".merged", label + " bytes that took no look-up", "byte", Better::neither, counters},
       &bytes<level, &Traffic::merged>});
}

std::vector<Quantity<V>> make() {
  constexpr Better lower = Better::lower;
  constexpr Better higher = Better::higher;
  constexpr Better neither = Better::neither;
  constexpr Basis timing = Basis::timing;
  constexpr Basis counters = Basis::counters;
  constexpr Basis fixed = Basis::fixed;
  std::vector<Quantity<V>> list = {
      {{"time_s", "time", "s", lower, timing}, [](const V& v) { return v.time_s; }},
      {{"latency_s.p50", "P50 latency", "s", lower, timing}, &latency<&LatencyStats::p50>},
      {{"latency_s.p90", "P90 latency", "s", lower, timing}, &latency<&LatencyStats::p90>},
      {{"latency_s.p99", "P99 latency", "s", lower, timing}, &latency<&LatencyStats::p99>},
      {{"latency_s.mean", "mean latency", "s", lower, timing}, &latency<&LatencyStats::mean>},
      {{"latency_s.min", "least latency", "s", lower, timing}, &latency<&LatencyStats::minimum>},
      {{"latency_s.max", "largest latency", "s", lower, timing}, &latency<&LatencyStats::maximum>},
      {{"latency_s.count", "timed repeats", "count", neither, fixed},
       [](const V& v) {
         return v.latency ? Value(static_cast<double>(v.latency->count)) : std::nullopt;
       }},
      {{"speedup_over_first", "speed-up over the first variant", "x", higher, timing},
       [](const V& v) { return v.speedup_over_first; }},
  };
  add_level<MemoryLevel::hbm>(list, "hbm_bytes", "HBM");
  add_level<MemoryLevel::l2>(list, "l2_bytes", "L2");
  add_level<MemoryLevel::smem>(list, "smem_bytes", "shared-memory");
  add_split(list);
  const std::vector<Quantity<V>> rest = {
      {{"sm_read_bytes.received", "bytes received by SMs", "byte", lower, counters},
       [](const V& v) { return v.sm_received_bytes; }},
      {{"sm_read_bytes.predicted", "bytes received by SMs predicted", "byte", neither, fixed},
       [](const V& v) { return v.predicted_sm_reads; }},
      {{"sm_read_bytes.looked_up", "bytes looked up in L2 for SMs", "byte", lower, counters},
       [](const V& v) { return v.sm_looked_up_bytes; }},
      {{"compulsory_bytes", "compulsory bytes", "byte", neither, fixed},
       [](const V& v) { return v.compulsory_bytes; }},
      {{"flops.counted", "FLOP", "FLOP", lower, fixed}, [](const V& v) { return v.flop.total; }},
      {{"flops.analytic", "analytic FLOP", "FLOP", neither, fixed},
       [](const V& v) { return v.analytic_flop; }},
      {{"flops.algorithm", "FLOP of the variant's products", "FLOP", lower, fixed},
       [](const V& v) { return v.algorithm_flop; }},
      {{"achieved_flop_per_s", "analytic FLOP rate", "FLOP/s", higher, timing},
       [](const V& v) { return v.achieved_flop_per_s; }},
      {{"intensity.hbm", "HBM intensity", "FLOP/byte", higher, counters},
       &intensity<MemoryLevel::hbm>},
      {{"intensity.l2", "L2 intensity", "FLOP/byte", higher, counters},
       &intensity<MemoryLevel::l2>},
      {{"intensity.smem", "shared-memory intensity", "FLOP/byte", higher, counters},
       &intensity<MemoryLevel::smem>},
      {{"max_error", "largest error", "", lower, fixed}, &error<&Correctness::max_abs_error>},
      {{"correctness.max_abs_error", "largest error", "", lower, fixed},
       &error<&Correctness::max_abs_error>},
      {{"correctness.reference_16bit_max_abs_error", "largest error of a 16-bit reference", "",
        neither, fixed},
       &error<&Correctness::reference_16bit_max_abs_error>},
      {{"correctness.lse_max_abs_error", "largest error of the log-sum-exp", "", lower, fixed},
       &lse_error},
      {{"correctness.rows_checked", "rows checked", "count", higher, fixed},
       &rows<&Correctness::rows_checked>},
      {{"correctness.rows_total", "rows", "count", neither, fixed},
       &rows<&Correctness::rows_total>},
      {{"tokens_per_s", "tokens/s", "token/s", higher, timing},
       [](const V& v) { return v.tokens_per_s; }},
      {{"power_w", "power", "W", neither, timing}, [](const V& v) { return v.power_w; }},
      {{"energy_j", "energy of a run", "J", lower, timing}, [](const V& v) { return v.energy_j; }},
      {{"sustained_s", "time of a run back to back", "s", lower, timing},
       [](const V& v) { return v.sustained_s; }},
      {{"flop_per_j", "FLOP a joule", "FLOP/J", higher, timing},
       [](const V& v) { return v.flop_per_j; }},
      {{"tokens_per_j", "tokens a joule", "token/J", higher, timing},
       [](const V& v) { return v.tokens_per_j; }},
      {{"workspace_bytes", "workspace", "byte", lower, fixed},
       [](const V& v) { return Value(static_cast<double>(v.workspace_bytes)); }},
      {{"saved_bytes", "bytes kept from the forward pass", "byte", lower, fixed},
       [](const V& v) {
         return v.saved_bytes ? Value(static_cast<double>(*v.saved_bytes)) : std::nullopt;
       }},
  };
  list.insert(list.end(), rest.begin(), rest.end());
  return list;
}

}  // namespace

const std::vector<Quantity<VariantAnalysis>>& variant_quantities() {
  static const std::vector<Quantity<VariantAnalysis>> list = make();
  return list;
}

}  // namespace ridgepoint
