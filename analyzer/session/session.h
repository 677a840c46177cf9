// The session: what was measured, and nothing that can be derived from it. One struct a section of
// the file; docs/session-format.md describes the file itself. Every value is in SI units (bytes,
// seconds, hertz) unless its name says otherwise. What was not measured is an empty optional, a NaN
// in a counter column, or an empty list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace ridgepoint {

inline constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();
inline constexpr std::int64_t no_index = -1;

struct Producer {
  std::string version;       // of Ridgepoint, or of the tool an import came from
  std::string time_utc;      // ISO 8601, "2026-11-29T17:40:15Z"
  std::string command_line;  // as typed
  std::string mode;          // "attention", "profile", "import"
  std::optional<std::string> host;
};

// A ceiling measured by a micro-benchmark on this very device (`ridgepoint ceilings`).
struct MeasuredCeiling {
  std::string name;        // "hbm", "l2", "smem", or a precision: "tensor_fp16", "fp32" ...
  double value = 0;        // byte/s or FLOP/s
  double ci95_half = 0;    // half width of its 95 % confidence interval, same unit
  double sm_clock_hz = 0;  // seen while it ran
  std::optional<double> power_w;
};

struct DeviceInfo {
  std::string name;  // "NVIDIA H200"
  std::string chip;  // CUPTI's chip name: "GH100"
  std::int32_t compute_capability_major = 0;
  std::int32_t compute_capability_minor = 0;
  std::int64_t sm_count = 0;
  std::int64_t l2_bytes = 0;
  std::int64_t smem_per_sm_bytes = 0;
  std::int64_t smem_per_block_bytes = 0;  // opt-in limit a block
  std::int64_t smem_reserved_per_block_bytes = 0;
  std::int64_t registers_per_sm = 0;
  std::int64_t warps_per_sm = 0;
  std::int64_t blocks_per_sm = 0;
  double sm_clock_max_hz = 0;
  double memory_clock_max_hz = 0;
  std::int64_t memory_bytes = 0;
  std::int64_t memory_bus_bits = 0;
  std::string driver_version;
  std::string runtime_version;
  std::string cupti_version;
  std::string pci_bus_id;  // "00000000:19:00.0": what the driver and NVML both know it by
  std::vector<MeasuredCeiling> measured_ceilings;
};

// How it was measured; every report names it, since other choices give other numbers.
struct Policy {
  std::string counter_profile;  // "none", "lite", "default", "full", "custom"
  std::string replay_mode;      // "user", "kernel", "application", "range", "none"
  std::int64_t passes = 0;
  std::string cache_control;  // what the caches held before each pass, in words
  std::string clock_control;  // "none": clocks are left alone and reported
  std::int64_t warmup_runs = 0;
  std::int64_t latency_repeats = 0;
  std::int64_t pc_sampling_period_cycles = 0;  // 0 when there was no sampling
  std::optional<double> power_sampling_period_s;
  std::vector<std::string> filters;
  // Of a profiled program. Empty where only each launch paid a little, as for a timeline, or where
  // the process did not come to its end.
  std::optional<double> run_s;        // wall time of all its runs
  std::optional<double> measuring_s;  // of these: in which it was held up by measuring
  // Wall time of the measured run / of the plain run; from the two above at least so much.
  std::optional<double> overhead_factor;
};

struct KernelInfo {
  std::string name;  // demangled
  std::string
      mangled;  // as the driver names it; equal to `name` for extern "C" and imported kernels
  std::optional<std::int64_t> registers_per_thread;
  std::optional<std::int64_t> static_smem_bytes;
  std::optional<std::int64_t> local_bytes_per_thread;
  std::string cubin_hash;  // hexadecimal, empty when unknown
};

struct Dim3 {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;
};
constexpr std::uint64_t count(const Dim3& d) {
  return std::uint64_t{d.x} * d.y * d.z;
}

struct Launch {
  std::uint32_t kernel = 0;  // index into Session::kernels
  std::uint32_t device = 0;  // index into Session::devices
  std::uint32_t stream = 0;
  Dim3 grid;
  Dim3 block;
  Dim3 cluster;
  std::int64_t dynamic_smem_bytes = 0;
  std::int64_t range = no_index;  // innermost NVTX range, index into Session::ranges
  std::int64_t start_ns = 0;      // 0 and 0 when no timeline was taken
  std::int64_t end_ns = 0;
};

// One column a counter, one row a launch, named as CUPTI and Nsight Compute name them
// ("dram__bytes_read.sum"). NaN where a counter was not measured for a launch.
struct CounterTable {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;

  // The column of that name, or null.
  const std::vector<double>* find(const std::string& name) const;
  // The column of that name, created full of NaN for `rows` launches when absent.
  std::vector<double>& column(const std::string& name, std::size_t rows);
};

// Warps seen at one instruction in one state. Sums over instructions and reasons give the samples
// of a kernel.
struct PcSample {
  std::uint32_t kernel = 0;
  std::uint64_t pc_offset = 0;           // bytes from the kernel's first instruction
  std::uint32_t reason = 0;              // index into Session::stall_reasons
  std::uint64_t samples = 0;             // all samples in this state
  std::uint64_t samples_not_issued = 0;  // those taken while the scheduler issued nothing
  std::int64_t device = no_index;        // index into Session::devices; not in older recordings
};

// What an instruction that was sampled is. Taken when the session is sealed, from the kernel's
// cubin.
struct SampledInstruction {
  std::uint32_t kernel = 0;
  std::uint64_t pc_offset = 0;
  std::string sass;              // "LDG.E R2, [R2.64]"; empty where no disassembler was found
  std::int64_t file = no_index;  // index into Session::source_files
  std::uint32_t line = 0;        // from 1; 0 when the kernel was compiled without -lineinfo
};

// Machine code as the driver loaded it, of kernels that were sampled.
struct Cubin {
  std::string hash;  // CUPTI's CRC, hexadecimal
  std::int64_t bytes = 0;
  std::string zstd_base64;             // empty when it was left out: an issue says why
  std::vector<std::uint32_t> kernels;  // indices into Session::kernels
};

struct NvtxRange {
  std::string name;
  std::string domain;
  std::uint64_t thread = 0;
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  std::int64_t parent = no_index;
};

// A copy or a fill of memory that the driver carried out, not a kernel of the program.
struct MemoryOperation {
  std::string kind;  // "copy host to device", "copy device to device", "fill" ...
  std::uint32_t device = 0;
  std::uint32_t stream = 0;
  std::uint64_t bytes = 0;
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
};

// Only in journals: a range is written when it opens, so that the launches inside it can name it,
// and its end follows. Merging the parts moves the ends into the ranges.
struct RangeEnd {
  std::uint64_t range = 0;  // index into Session::ranges of the merged session
  std::int64_t end_ns = 0;
};

// What the device said of itself at one moment; NaN and empty where it says nothing.
struct PowerSample {
  std::int64_t time_ns = 0;  // wall clock
  std::uint32_t device = 0;
  double power_w = 0;
  std::optional<double> energy_j;  // the device's running total, where it has one
  std::optional<double> sm_clock_hz;
  std::optional<double> memory_clock_hz;
  std::optional<double> temperature_c;
  // NVML's reasons for the clocks, one bit each (nvmlClocksEventReasons): clock_reasons.h.
  std::optional<std::int64_t> clock_reasons;
};

// A stretch of the run that was watched, summed up from all samples taken in it: the series itself
// may have been thinned out. A sample in which the device was idle counts for no clock.
struct PowerPhase {
  std::string name;     // "latency", "energy", "program"
  std::string variant;  // the one that ran alone, over and over; empty when it was none or several
  std::uint32_t device = 0;
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  std::int64_t runs = 0;  // of the variant; 0 when they were not counted
  std::int64_t samples = 0;
  // Of the running total, between the first and the last time that it was seen to change.
  std::int64_t energy_updates = 0;
  std::optional<double> energy_j;
  std::optional<double> energy_s;
  std::optional<double> power_mean_w;  // of the samples
  std::optional<double> power_max_w;
  std::optional<double> temperature_max_c;
  std::int64_t busy_samples = 0;  // those behind the clocks
  std::optional<double> sm_clock_min_hz;
  std::optional<double> sm_clock_mean_hz;
  std::optional<double> sm_clock_max_hz;
  std::int64_t power_capped_samples = 0;  // the power limit held the clocks down
  std::int64_t slowed_samples = 0;        // heat or the board's hardware did
  std::int64_t clock_reasons = 0;         // all bits that were seen
};

// Hardware counters over the time of one run of a variant, or of one launch of a profiled program,
// one column a counter and one row a sample; named as CUPTI names them. Times count from the first
// sample.
struct PmSeries {
  std::string variant;             // empty for a launch
  std::int64_t kernel = no_index;  // of a launch
  std::int64_t nth = 0;            // which of its kernel's launches on the device, from 1
  std::uint32_t device = 0;
  double interval_s = 0;  // asked for
  bool cut_off = false;   // the device's buffer was full before the run ended
  std::vector<double> start_s;
  std::vector<double> end_s;
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;
};

struct AttentionShape {
  std::int64_t batch = 0;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t seqlen_q = 0;
  std::int64_t seqlen_k = 0;
  std::int64_t head_dim = 0;
  std::string dtype;  // "fp16" or "bf16"
  bool causal = false;
  double softmax_scale = 0;
  std::string direction = "forward";
};

struct TensorError {
  std::string tensor;  // "dQ"
  double max_abs_error = 0;
  double reference_16bit_max_abs_error = 0;
};

// Error against the double-precision reference, on the rows that were checked.
struct Correctness {
  std::string method;  // "all rows" or "256 sampled rows", in words
  std::int64_t rows_checked = 0;
  std::int64_t rows_total = 0;
  double max_abs_error = 0;
  double reference_16bit_max_abs_error =
      0;  // of a reference that rounds where a 16-bit pipeline rounds
  std::optional<double> lse_max_abs_error;  // forward
  bool passed = false;
  std::vector<TensorError> tensors;  // backward: dQ, dK and dV apart
};

struct KernelTileInfo {
  std::string role;  // "attention", "scores", "softmax", "output"; backward_io.cpp for backward
  std::int64_t block_m = 0;
  std::int64_t block_n = 0;
  std::int64_t block_k = 0;
  std::int64_t stages = 0;
  std::int64_t threads = 0;
  std::int64_t smem_bytes = 0;
};

struct VariantRun {
  std::string name;  // "naive", "fused"
  std::string description;
  std::vector<std::uint32_t>
      launches;  // one run of the variant, in order, indices into Session::launches
  std::vector<KernelTileInfo> tiles;  // one a launch
  std::vector<double> latency_s;      // every timed repeat of the whole variant, in order
  std::optional<Correctness> correctness;
  std::int64_t workspace_bytes = 0;
  // Backward: what is kept from the forward pass beyond O and the LSE.
  std::optional<std::int64_t> saved_bytes;
  // Of seqlen_q x seqlen_k x head_dim that a run executes.
  std::optional<std::int64_t> products;
};

struct AttentionWorkload {
  AttentionShape shape;
  double analytic_flop =
      0;  // two products forward, five backward, exact for causal masks (analyzer/attention/flop.h)
  double analytic_bytes = 0;  // inputs read once, outputs written once
  std::vector<VariantRun> variants;
};

// A finding that another profiler's own rules printed beside the numbers; kept as it was said, so
// that ours can be read next to it.
struct ImportedRuleResult {
  std::uint32_t launch = 0;  // index into Session::launches
  std::string section;       // "SpeedOfLight"
  std::string rule;          // "SOLBottleneck"
  std::string type;          // "INF", "OPT", "WRN"
  std::string text;
  std::string speedup_type;  // "global", "local"; empty when it estimates none
  std::optional<double> estimated_speedup_pct;
};

// What went wrong or was not seen. Reports print these first.
struct Issue {
  std::string code;  // stable, dotted: "counters.refused"
  std::string text;
};

struct Session {
  Producer producer;
  std::vector<DeviceInfo> devices;
  Policy policy;
  std::vector<KernelInfo> kernels;
  std::vector<Launch> launches;
  CounterTable counters;
  std::vector<std::string> stall_reasons;  // CUPTI's names without prefix: "long_scoreboard"
  std::vector<PcSample> pc_samples;
  std::vector<SampledInstruction> instructions;
  std::vector<std::string> source_files;
  std::vector<Cubin> cubins;
  std::vector<NvtxRange> ranges;
  std::vector<RangeEnd> range_ends;
  std::vector<MemoryOperation> memory_operations;
  std::vector<PowerSample> power;
  std::vector<PowerPhase> power_phases;
  std::vector<PmSeries> pm_series;
  std::optional<AttentionWorkload> attention;
  std::vector<ImportedRuleResult> imported_rules;
  std::vector<Issue> issues;
};

}  // namespace ridgepoint
