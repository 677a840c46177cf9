// What the analyzer makes of a session: the one structure that reports and the window show. Built
// by analyse(); holds values only, no pointers into the session. An empty optional means "not
// measured" or "does not apply", never zero. SI units throughout: byte, second, FLOP, byte/s,
// FLOP/s; shares and utilisations are 0..1.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/analysis/traces.h"
#include "analyzer/session/session.h"

namespace ridgepoint {

struct Timeline;  // analyzer/timeline/timeline.h

// The levels of the hierarchical roofline, outermost first. Index of the arrays below.
enum class MemoryLevel : std::size_t { hbm = 0, l2 = 1, smem = 2 };
inline constexpr std::size_t memory_level_count = 3;
inline constexpr std::array<MemoryLevel, memory_level_count> memory_levels = {
    MemoryLevel::hbm, MemoryLevel::l2, MemoryLevel::smem};
const char* key(MemoryLevel level);    // "hbm", "l2", "smem": in files
const char* label(MemoryLevel level);  // "HBM", "L2", "Shared memory": for people

template <class T>
struct PerLevel {
  std::array<T, memory_level_count> values{};
  T& operator[](MemoryLevel level) { return values[static_cast<std::size_t>(level)]; }
  const T& operator[](MemoryLevel level) const { return values[static_cast<std::size_t>(level)]; }
};

// Bytes through one level. For shared memory `total` is the bandwidth used (wavefronts x 128) and
// `requested` the bytes the instructions asked for; the other levels leave `requested` empty. Of L2
// `total` and `read` are what it gives to those who ask, `merged` the part of them that takes no
// look-up, since the request of another SM for the same line had one (analyzer/traffic/sm_reads.h);
// without the counters `merged` is empty, and the others are what was looked up.
struct Traffic {
  std::optional<double> total;
  std::optional<double> read;
  std::optional<double> write;
  std::optional<double> requested;
  std::optional<double> merged = std::nullopt;
  std::optional<double> looked_up() const {
    return total ? std::optional<double>(*total - merged.value_or(0)) : std::nullopt;
  }
};

// The bytes of one level by what they are; the first three add up to all that moved
// (analyzer/traffic/traffic_split.h). Only for kernels of a known workload.
struct TrafficSplit {
  double inputs_outputs = 0;  // of the problem, once each
  double intermediates = 0;   // that only this variant has, once each written and read
  double again = 0;           // beyond once; at L2 also what crosses between its partitions
  double kept = 0;            // due once, and not seen at this level: a cache above it had it
  double total() const { return inputs_outputs + intermediates + again; }
};

struct FlopCounts {
  std::optional<double> tensor;
  std::optional<double> fp64;
  std::optional<double> fp32;
  std::optional<double> fp16;   // CUDA cores
  std::optional<double> total;  // of those that were measured
  std::string precision;  // key of the compute ceiling that applies: "tensor_fp16", "fp32"; empty
                          // without FLOP
};

// `compute` is an arithmetic unit or pipe; `issue` the schedulers' issue slots, which any
// instruction takes.
enum class BoundBy { unknown, hbm, l2, smem, compute, issue, latency };
const char* key(BoundBy bound);  // "hbm", "compute", ...
const char* label(
    BoundBy bound);  // "HBM bandwidth", "Compute (tensor FP16)" is composed by the reports

struct StallShare {
  std::string reason;   // "long_scoreboard"
  double share = 0;     // of all samples of the kernel
  bool memory = false;  // counted in the memory stall ratio
};

// What the warps of a kernel waited for on one of the devices that ran it.
struct DeviceStalls {
  std::int64_t device = 0;         // index into Session::devices
  std::vector<StallShare> stalls;  // shares of the kernel's samples on this device, largest first
  std::optional<double> memory_stall_ratio;
  std::int64_t samples = 0;
};

// An instruction at which many samples of a kernel were taken.
struct HotSpot {
  std::uint64_t pc_offset = 0;  // bytes from the kernel's first instruction
  std::int64_t samples = 0;
  double share = 0;         // of all samples of the kernel
  std::string reason;       // the state most of them were in
  double reason_share = 0;  // of the samples at this instruction
  std::string sass;         // empty when it was not disassembled
  std::string source_file;  // as the compiler was given it; empty without line information
  std::uint32_t source_line = 0;
};

struct Occupancy {
  std::optional<double> achieved;     // active warps / warps an SM holds
  std::optional<double> theoretical;  // by registers, shared memory, warps and blocks
  std::optional<std::int64_t> blocks_per_sm;
  std::string
      limiter;  // "registers", "shared memory", "warps", "blocks"; joined with ", " when tied
  std::optional<double> waves;  // blocks launched / blocks that fit on the device at once
};

struct SmBalance {
  std::optional<double> active_min_share;  // least busy SM: active cycles / elapsed cycles
  std::optional<double> active_mean_share;
  std::optional<double> active_max_share;
  // The share of the busiest SM's time that the mean SM idles.
  std::optional<double> imbalance() const {
    return active_mean_share && active_max_share && *active_max_share > 0
               ? std::optional<double>(1 - *active_mean_share / *active_max_share)
               : std::nullopt;
  }
};

// Of launches long enough for the device's energy counter (kernel_energy.h).
struct LaunchEnergy {
  double power_w = 0;   // mean, of the whole device
  double energy_j = 0;  // of one launch, the mean over those measured
  std::int64_t launches = 0;
  double error_share = 0;  // at most: what the sampling period leaves open at both ends
};

// All launches of one kernel within one variant (or within the program, when there is none), added
// up.
struct KernelAnalysis {
  std::string name;                // demangled, whole
  std::string short_name;          // unique within the analysis
  std::string variant;             // "naive", "fused", or empty
  std::string role;                // "scores", "softmax", "output", "attention", or empty
  std::size_t session_kernel = 0;  // index into Session::kernels
  std::int64_t launches = 0;
  std::optional<double> time_s;      // summed over the launches
  std::optional<double> time_share;  // of the time of all kernels
  Dim3 grid, block, cluster;         // of the longest launch
  std::optional<std::int64_t> registers_per_thread;
  std::optional<std::int64_t> smem_per_block_bytes;  // static + dynamic
  std::optional<double> sm_clock_hz;                 // measured in this kernel

  PerLevel<Traffic> traffic;
  PerLevel<std::optional<TrafficSplit>> split;  // HBM and L2
  // Read by the SMs through L2 and not fetched from HBM for it.
  std::optional<double> l2_saved_bytes;
  FlopCounts flop;
  std::optional<double> achieved_flop_per_s;
  PerLevel<std::optional<double>> bandwidth;    // byte/s
  PerLevel<std::optional<double>> intensity;    // FLOP/byte; empty when the kernel has no FLOP
  PerLevel<std::optional<double>> utilisation;  // achieved / theoretical
  std::optional<double> compute_utilisation;
  BoundBy bound_by = BoundBy::unknown;
  // The pipe that binds a compute-bound kernel, "special-function pipe"; empty when the FLOP
  // ceiling of flop.precision is nearer than any pipe. "L1 data stage" where it is the cache and
  // not shared memory that fills what the two share.
  std::string bound_pipe;
  // 1 / utilisation of what binds (roof, pipe or issue slots), >= 1; for a latency-bound kernel, of
  // the nearest of them.
  std::optional<double> headroom;
  // Whose percentages gave bound_by and headroom when the traffic and FLOP behind our own roofs
  // were not measured: "Nsight Compute's throughput percentages". Empty for our own.
  std::string bound_basis;

  std::vector<StallShare> stalls;  // largest first
  std::optional<double> memory_stall_ratio;
  std::int64_t stall_samples = 0;
  // The samples apart by device; empty when one device took all, or a recording does not say which.
  std::vector<DeviceStalls> stalls_by_device;
  std::vector<HotSpot> hot_spots;  // most samples first, at most ten; empty without PC samples
  Occupancy occupancy;
  SmBalance balance;
  std::optional<LaunchEnergy> energy;  // empty when no launch was long enough to tell
  // Further quantities by their semantic id (data/counters), e.g. "l2_hit_rate",
  // "smem_bank_conflicts".
  std::vector<std::pair<std::string, double>> quantities;
  std::optional<double> quantity(const std::string& id) const;
  // The time of each launch, in launch order; empty unless every launch has one.
  std::vector<double> launch_times_s;
};

struct LatencyStats {
  std::int64_t count = 0;
  double mean = 0, minimum = 0, p50 = 0, p90 = 0, p99 = 0, maximum = 0;  // seconds
  double median_ci95_low = 0, median_ci95_high = 0;                      // from order statistics
  // The same for P90 and P99; an end that too few repeats leave open is empty.
  std::optional<double> p90_ci95_low = std::nullopt, p90_ci95_high = std::nullopt;
  std::optional<double> p99_ci95_low = std::nullopt, p99_ci95_high = std::nullopt;
};

struct LevelPrediction {
  Traffic measured;
  std::optional<double> predicted;  // by the IO model, byte
  std::string formula;              // in words and symbols
};

struct VariantAnalysis {
  std::string name;
  std::string description;
  std::vector<std::size_t> kernels;  // indices into Analysis::kernels
  std::optional<double>
      time_s;  // median latency of the whole variant, else the sum of kernel times
  std::optional<LatencyStats> latency;
  std::optional<double> speedup_over_first;  // time of the first variant / time of this one
  PerLevel<LevelPrediction> traffic;
  PerLevel<std::optional<TrafficSplit>> split;  // sums over the kernels
  std::optional<double> l2_saved_bytes;
  // Bytes that the SMs receive through L2, by the IO model and measured, and what L2 looks up for
  // them: analyzer/traffic/sm_reads.h.
  std::optional<double> predicted_sm_reads;
  std::optional<double> sm_received_bytes;
  std::optional<double> sm_looked_up_bytes;
  FlopCounts flop;
  // By the convention of every paper, so that rates can be compared: 2 products forward, 5
  // backward.
  std::optional<double> analytic_flop;
  // Of the products that this variant's algorithm executes: 4 backward where P was kept.
  std::optional<double> algorithm_flop;
  std::optional<double> compulsory_bytes;     // inputs once, outputs once
  std::optional<double> achieved_flop_per_s;  // analytic FLOP / time
  PerLevel<std::optional<double>> intensity;
  std::optional<double> tokens_per_s;
  std::optional<double> cost_per_million_tokens;  // when a price was given, in its currency
  // While it ran alone, over and over, long enough for the energy counter (power.h).
  std::optional<double> power_w;
  std::optional<double> energy_j;     // of one run
  std::optional<double> sustained_s;  // a run took so long then
  std::optional<double> flop_per_j;   // analytic FLOP
  std::optional<double> tokens_per_j;
  std::int64_t workspace_bytes = 0;
  // Backward: device memory kept from the forward pass beyond O and the LSE.
  std::optional<std::int64_t> saved_bytes;
  std::optional<Correctness> correctness;
  // Every usable timed repeat, ascending: tests of significance need all of them, not their mean.
  std::vector<double> latency_repeats_s;

  // Tensor FLOP counted / those of its products: above 1 it computes padding or what a mask
  // discards. Empty where one of them is not known.
  std::optional<double> flop_excess() const {
    return flop.tensor && *flop.tensor > 0 && algorithm_flop && *algorithm_flop > 0
               ? std::optional<double>(*flop.tensor / *algorithm_flop)
               : std::nullopt;
  }
};

// All launches inside the NVTX ranges of one path, those of inner ranges included; or of the whole
// run. Sums are empty where one of the launches lacks the counter.
struct RangeAnalysis {
  std::string path;              // "step/attention"; empty for the whole run
  std::int64_t occurrences = 0;  // ranges of that path
  std::int64_t launches = 0;
  std::optional<double> time_s;  // of the kernels, added up
  PerLevel<Traffic> traffic;
};

// A tile that fits the GPU's shared memory and register file, and what the models say of it.
struct TileOption {
  std::string variant;
  KernelTileInfo tile;
  std::int64_t registers_per_thread = 0;  // estimated
  std::int64_t blocks_per_sm = 0;
  double occupancy = 0;
  PerLevel<double> traffic_bytes;
  double time_bound_s = 0;  // 0 when no roof is known
  BoundBy bound_by = BoundBy::unknown;
  bool in_use = false;  // the tile of the kernel that exists
};

// A number of parts that the keys of each query tile may be shared out in, and what the occupancy
// model says of it (analyzer/attention/split_kv.h).
struct SplitOption {
  std::int64_t splits = 1;
  double blocks = 0;
  double waves = 0;          // blocks / SMs
  double partial_bytes = 0;  // written by one kernel and read by the other
  double time_s = 0;         // estimated for both kernels; 0 when no roof is known
  bool best = false;
};

enum class CeilingKind { bandwidth, compute };
struct Ceiling {
  CeilingKind kind = CeilingKind::bandwidth;
  std::string id;                     // "hbm", "l2", "smem", "tensor_fp16", "fp32"
  std::string label;                  // "HBM3e", "Tensor FP16"
  std::optional<double> theoretical;  // byte/s or FLOP/s
  std::optional<double> measured;
  std::string source;  // where the theoretical value comes from
};

enum class Severity { info, notice, warning, critical };
const char* key(Severity severity);

struct Evidence {
  std::string quantity;  // "HBM bandwidth utilisation"
  double value = 0;
  std::string unit;                 // "share", "byte", "s", "FLOP/byte", "1"
  std::optional<double> threshold;  // what it is compared with, same unit
  bool fixed = false;  // by launch, problem or chip: every run of the program shows the same value
  bool memory_size = false;  // bytes that a memory on the chip holds, printed in KiB
};

// What the estimated gain is: no more than that, no less, or what another variant of the same run
// saves.
enum class GainKind { at_most, at_least, measured };
const char* key(GainKind kind);    // "at_most", "at_least", "measured": in files
const char* label(GainKind kind);  // "up to", "at least", "measured:"

// Whether measuring once more would show the same; analyzer/rules/confidence.h has the lines.
enum class Confidence { low, medium, high };
const char* key(Confidence confidence);

struct Diagnosis {
  std::string id;           // rule id: "hbm_bandwidth_bound"
  std::string title;        // one line, with the kernel's situation
  std::string explanation;  // two or three sentences: why this is so
  Severity severity = Severity::info;
  std::optional<std::size_t>
      kernel;  // index into Analysis::kernels; empty when it speaks of a variant or the run
  std::string variant;
  std::vector<Evidence> evidence;
  std::string action;  // what to change
  std::optional<double>
      estimated_gain;  // share of the kernel's (or variant's) time that would be saved, 0..1
  GainKind gain_kind = GainKind::at_most;
  std::string gain_formula;
  std::string not_applicable_when;
  Confidence confidence = Confidence::high;
  std::string confidence_why = {};  // empty when high
};

enum class Verdict { met, missed, not_applicable };
const char* key(Verdict verdict);

struct TargetResult {
  std::string id;     // "hbm_bandwidth_utilisation"
  std::string label;  // for people
  std::string variant;
  std::optional<double> value;
  double target = 0;
  bool at_least = true;  // target is a lower bound; else an upper bound
  std::string unit;      // "share", "s", ...
  Verdict verdict = Verdict::not_applicable;
  std::string why;
  // If missed: what reaching it would save, of the variant's time and of its cost of a million
  // tokens.
  std::optional<double> time_saved_share = std::nullopt;
  std::optional<double> cost_saved_per_million_tokens = std::nullopt;
};

enum class Source { measured, recording, imported, predicted };
const char* key(Source source);

struct Analysis {
  Source source = Source::recording;
  Producer producer;
  Policy policy;
  std::vector<DeviceInfo> devices;
  std::vector<Ceiling> ceilings;  // of the first device
  std::optional<AttentionShape> attention;
  std::vector<KernelAnalysis>
      kernels;  // variants in order, kernels in launch order; otherwise by time
  std::vector<VariantAnalysis> variants;
  std::optional<RangeAnalysis> run;   // everything that was launched; empty when nothing was
  std::vector<RangeAnalysis> ranges;  // longest first; empty without NVTX
  std::vector<Diagnosis> diagnoses;   // most severe first, then by estimated gain of the whole run
  std::vector<TargetResult> targets;
  std::vector<PowerTrace> power;   // one a device that was watched
  std::vector<PmTrace> pm_traces;  // one a variant that was sampled over time
  // What ran when; null where the session has no timeline. Shared and never changed: copies of an
  // analysis do not copy a million launches.
  std::shared_ptr<const Timeline> timeline;
  std::vector<TileOption> tile_options;    // of predictions: tiles that would fit
  std::vector<SplitOption> split_options;  // of predictions of few queries: parts of the keys
  std::vector<Issue> issues;  // the session's own, then the analyzer's consistency checks

  const Ceiling* ceiling(const std::string& id) const;
};

}  // namespace ridgepoint
