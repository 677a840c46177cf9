// The numbers of one kernel in the JSON report.
#include "analyzer/compare/launch_quantities.h"
#include "analyzer/compare/split_quantities.h"

namespace ridgepoint {
namespace {

using K = KernelAnalysis;
using Value = std::optional<double>;

Value number(const std::optional<std::int64_t>& value) {
  return value ? Value(static_cast<double>(*value)) : std::nullopt;
}

template <MemoryLevel level>
Value bytes(const K& k) {
  return k.traffic[level].total;
}
template <MemoryLevel level>
Value intensity(const K& k) {
  return k.intensity[level];
}
template <MemoryLevel level>
Value bandwidth(const K& k) {
  return k.bandwidth[level];
}
template <MemoryLevel level>
Value utilisation(const K& k) {
  return k.utilisation[level];
}

constexpr MemoryLevel hbm = MemoryLevel::hbm;
constexpr MemoryLevel l2 = MemoryLevel::l2;
constexpr MemoryLevel smem = MemoryLevel::smem;

std::vector<Quantity<K>> make() {
  constexpr Better lower = Better::lower;
  constexpr Better higher = Better::higher;
  constexpr Better neither = Better::neither;
  constexpr Basis timing = Basis::timing;
  constexpr Basis counters = Basis::counters;
  constexpr Basis fixed = Basis::fixed;
  std::vector<Quantity<K>> list = {
      {{"time_s", "time", "s", lower, timing}, [](const K& k) { return k.time_s; }},
      {{"time_share", "share of the run", "share", neither, timing},
       [](const K& k) { return k.time_share; }},
      {{"launches", "launches", "count", neither, fixed},
       [](const K& k) { return Value(static_cast<double>(k.launches)); }},
      {{"hbm_bytes", "HBM bytes", "byte", lower, counters}, &bytes<hbm>},
      {{"l2_bytes", "L2 bytes", "byte", lower, counters}, &bytes<l2>},
      {{"l2_merged_bytes", "L2 bytes that took no look-up", "byte", neither, counters},
       [](const K& k) { return k.traffic[l2].merged; }},
      {{"smem_bytes", "shared-memory bytes", "byte", lower, counters}, &bytes<smem>},
      {{"flops", "FLOP", "FLOP", lower, fixed}, [](const K& k) { return k.flop.total; }},
      {{"flops_by_precision.tensor", "tensor FLOP", "FLOP", neither, fixed},
       [](const K& k) { return k.flop.tensor; }},
      {{"flops_by_precision.fp64", "FP64 FLOP", "FLOP", neither, fixed},
       [](const K& k) { return k.flop.fp64; }},
      {{"flops_by_precision.fp32", "FP32 FLOP", "FLOP", neither, fixed},
       [](const K& k) { return k.flop.fp32; }},
      {{"flops_by_precision.fp16", "FP16 FLOP", "FLOP", neither, fixed},
       [](const K& k) { return k.flop.fp16; }},
      {{"achieved_flop_per_s", "FLOP rate", "FLOP/s", higher, timing},
       [](const K& k) { return k.achieved_flop_per_s; }},
      {{"intensity.hbm", "HBM intensity", "FLOP/byte", higher, counters}, &intensity<hbm>},
      {{"intensity.l2", "L2 intensity", "FLOP/byte", higher, counters}, &intensity<l2>},
      {{"intensity.smem", "shared-memory intensity", "FLOP/byte", higher, counters},
       &intensity<smem>},
      {{"bandwidth.hbm", "HBM bandwidth", "byte/s", neither, timing}, &bandwidth<hbm>},
      {{"bandwidth.l2", "L2 bandwidth", "byte/s", neither, timing}, &bandwidth<l2>},
      {{"bandwidth.smem", "shared-memory bandwidth", "byte/s", neither, timing}, &bandwidth<smem>},
      {{"utilisation.hbm", "HBM utilisation", "share", neither, timing}, &utilisation<hbm>},
      {{"utilisation.l2", "L2 utilisation", "share", neither, timing}, &utilisation<l2>},
      {{"utilisation.smem", "shared-memory utilisation", "share", neither, timing},
       &utilisation<smem>},
      {{"utilisation.compute", "compute utilisation", "share", higher, timing},
       [](const K& k) { return k.compute_utilisation; }},
      {{"headroom", "headroom to the roof", "x", lower, timing},
       [](const K& k) { return k.headroom; }},
      {{"memory_stall_ratio", "memory stall ratio", "share", lower, counters},
       [](const K& k) { return k.memory_stall_ratio; }},
      {{"stall_samples", "stall samples", "count", neither, timing},
       [](const K& k) {
         return k.stalls.empty() ? Value() : Value(static_cast<double>(k.stall_samples));
       }},
      {{"sm_busy.min", "least busy SM", "share", higher, counters},
       [](const K& k) { return k.balance.active_min_share; }},
      {{"sm_busy.mean", "mean SM busy", "share", higher, counters},
       [](const K& k) { return k.balance.active_mean_share; }},
      {{"sm_busy.max", "busiest SM", "share", neither, counters},
       [](const K& k) { return k.balance.active_max_share; }},
      {{"sm_busy.imbalance", "SM imbalance", "share", lower, counters},
       [](const K& k) { return k.balance.imbalance(); }},
      {{"occupancy.achieved", "achieved occupancy", "share", neither, counters},
       [](const K& k) { return k.occupancy.achieved; }},
      {{"occupancy.theoretical", "theoretical occupancy", "share", neither, fixed},
       [](const K& k) { return k.occupancy.theoretical; }},
      {{"occupancy.blocks_per_sm", "blocks an SM", "count", neither, fixed},
       [](const K& k) { return number(k.occupancy.blocks_per_sm); }},
      {{"occupancy.waves", "waves", "1", neither, fixed},
       [](const K& k) { return k.occupancy.waves; }},
      {{"registers_per_thread", "registers a thread", "count", neither, fixed},
       [](const K& k) { return number(k.registers_per_thread); }},
      {{"smem_per_block_bytes", "shared memory a block", "byte", neither, fixed, true},
       [](const K& k) { return number(k.smem_per_block_bytes); }},
      {{"sm_clock_hz", "SM clock", "Hz", neither, counters},
       [](const K& k) { return k.sm_clock_hz; }},
  };
  add_split(list);
  add_launch_quantities(list);
  return list;
}

}  // namespace

const std::vector<Quantity<KernelAnalysis>>& kernel_quantities() {
  static const std::vector<Quantity<KernelAnalysis>> list = make();
  return list;
}

}  // namespace ridgepoint
