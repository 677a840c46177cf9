#include "tests/support/sample_session.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <utility>

#include "analyzer/metrics/counter_map.h"

namespace ridgepoint::testing {
namespace {

constexpr double q_bytes = 8.0 * 4096 * 64 * 2;    // as large as K, V and O
constexpr double s_bytes = 8.0 * 4096 * 4096 * 2;  // as large as P
constexpr double lse = 8.0 * 4096 * 4;
constexpr double product_flop = 2.0 * 8 * 4096 * 4096 * 64;

const QuantityDefinition& definition(const std::string& quantity) {
  static const Result<CounterMap> map = load_counter_map("GH100");
  const QuantityDefinition* found = map ? map->find(quantity) : nullptr;
  if (found == nullptr || found->terms.empty()) {
    std::fprintf(stderr, "no quantity %s in the counter map of GH100\n", quantity.c_str());
    std::abort();
  }
  return *found;
}

void set_all(Session& session, std::size_t launch,
             std::initializer_list<std::pair<const char*, double>> values) {
  for (const auto& [quantity, value] : values) {
    set_quantity(session, launch, quantity, value);
  }
}

void add_common(Session& session, std::size_t launch, double time_s) {
  const double cycles = time_s * 1.755e9;
  set_all(session, launch,
          {{"time_s", time_s},
           {"sm_clock_hz", 1.755e9},
           {"memory_clock_hz", 3.2e9},
           {"l2_clock_hz", 1.6e9},
           {"hbm_peak_bytes_per_cycle", 1536},
           {"l2_lookup_peak_bytes_per_cycle", 6144},
           {"l2_peak_bytes_per_cycle", 6144},
           {"sm_cycles_elapsed", cycles},
           {"sm_cycles_active_min", cycles * 0.97},
           {"sm_cycles_active_mean", cycles * 0.98},
           {"sm_cycles_active_max", cycles * 0.99},
           {"warps_active_share", 0.48},
           {"issue_active_share", 0.40}});
}

void add_traffic(Session& session, std::size_t launch, double read, double write, double l2,
                 double smem) {
  set_all(session, launch,
          {{"hbm_read_bytes", read},
           {"hbm_write_bytes", write},
           {"l2_lookup_bytes", l2},
           {"smem_wavefronts", smem / 128},
           {"smem_bytes", smem},
           {"smem_bank_conflicts", 0}});
}

void add_kernel(Session& session, const char* name, std::int64_t registers, Dim3 grid, Dim3 block,
                std::int64_t dynamic_smem) {
  const auto index = static_cast<std::uint32_t>(session.kernels.size());
  session.kernels.push_back({name, name, registers, 0, 0, "0"});
  Launch launch;
  launch.kernel = index;
  launch.grid = grid;
  launch.block = block;
  launch.dynamic_smem_bytes = dynamic_smem;
  session.launches.push_back(launch);
}

void add_samples(Session& session, std::uint32_t kernel,
                 std::initializer_list<std::uint64_t> by_reason) {
  std::uint32_t reason = 0;
  for (const std::uint64_t samples : by_reason) {
    session.pc_samples.push_back(
        {kernel, 16 * std::uint64_t{reason}, reason, samples, samples / 2});
    ++reason;
  }
}

std::vector<double> repeats(double centre_s) {
  std::vector<double> values;
  for (int i = 0; i < 101; ++i) {
    values.push_back(centre_s * (1 + 0.0002 * (i - 50)));
  }
  return values;
}

AttentionWorkload workload() {
  AttentionWorkload work;
  work.shape = {1, 8, 8, 4096, 4096, 64, "fp16", false, 0.125, "forward"};
  work.analytic_flop = 2 * product_flop;
  work.analytic_bytes = 4 * q_bytes + lse;
  VariantRun naive;
  naive.name = "naive";
  naive.description = "invented: three kernels, S and P in HBM";
  naive.launches = {scores_launch, softmax_launch, output_launch};
  naive.tiles = {{"scores", 128, 128, 64, 1, 256, 32768},
                 {"softmax", 1, 4096, 0, 1, 256, 8192},
                 {"output", 128, 64, 64, 2, 256, 49152}};
  naive.latency_s = repeats(280e-6);
  naive.correctness = Correctness{"all rows", 32768, 32768, 2e-4, 4e-4, 1e-5, true, {}};
  naive.workspace_bytes = static_cast<std::int64_t>(2 * s_bytes);
  VariantRun fused;
  fused.name = "fused";
  fused.description = "invented: one kernel, online softmax";
  fused.launches = {fused_launch};
  fused.tiles = {{"attention", 128, 128, 64, 2, 256, 81920}};
  fused.latency_s = repeats(56e-6);
  fused.correctness = Correctness{"all rows", 32768, 32768, 2e-4, 4e-4, 1e-5, true, {}};
  work.variants = {naive, fused};
  return work;
}

}  // namespace

DeviceInfo sample_device() {
  DeviceInfo device;
  device.name = "Invented GPU";
  device.chip = "GH100";
  device.compute_capability_major = 9;
  device.sm_count = 132;
  device.l2_bytes = 50 << 20;
  device.smem_per_sm_bytes = 233472;
  device.smem_per_block_bytes = 232448;
  device.smem_reserved_per_block_bytes = 1024;
  device.registers_per_sm = 65536;
  device.warps_per_sm = 64;
  device.blocks_per_sm = 32;
  device.sm_clock_max_hz = 1.98e9;
  device.memory_clock_max_hz = 3.2e9;
  device.memory_bytes = std::int64_t{141} << 30;
  device.memory_bus_bits = 6144;
  return device;
}

Session sample_session() {
  Session session;
  session.producer = {"0.0.0", "2026-01-01T00:00:00Z", "invented, nobody measured this",
                      "attention", std::nullopt};
  session.devices = {sample_device()};
  session.policy.counter_profile = "default";
  session.policy.replay_mode = "user";
  session.stall_reasons = {"selected",        "not_selected",     "wait",
                           "long_scoreboard", "short_scoreboard", "math_pipe_throttle"};

  add_kernel(session, "void invented::scores_kernel<__half>(const __half*)", 128, {32, 32, 8},
             {256, 1, 1}, 32768);
  add_kernel(session, "void invented::softmax_kernel<__half>(const __half*)", 32, {4096, 8, 1},
             {256, 1, 1}, 8192);
  add_kernel(session, "void invented::output_kernel<__half>(const __half*)", 128, {32, 1, 8},
             {256, 1, 1}, 49152);
  add_kernel(session, "void invented::fused_kernel<__half, 64>(const __half*)", 168, {32, 8, 1},
             {256, 1, 1}, 81920);

  add_common(session, scores_launch, 75e-6);
  add_traffic(session, scores_launch, 2 * q_bytes, s_bytes, 64 * q_bytes + s_bytes, 500e6);
  add_common(session, softmax_launch, 120e-6);
  add_traffic(session, softmax_launch, s_bytes, s_bytes + lse, 2 * s_bytes + lse, 10e6);
  add_common(session, output_launch, 75e-6);
  add_traffic(session, output_launch, s_bytes + q_bytes, q_bytes, s_bytes + 33 * q_bytes, 500e6);
  add_common(session, fused_launch, 55e-6);
  add_traffic(session, fused_launch, 3 * q_bytes, q_bytes + lse, 66 * q_bytes + lse, 900e6);
  for (const std::size_t launch : {scores_launch, output_launch, fused_launch}) {
    const bool fused = launch == fused_launch;
    set_all(session, launch,
            {{"tensor_fp16_flop", fused ? 2 * product_flop : product_flop},
             {"gmma_instructions", fused ? 1e6 : 0},
             {"mma_instructions", fused ? 0 : 4e6},
             {"tensor_pipe_active_share", fused ? 0.68 : 0.50}});
  }
  set_quantity(session, softmax_launch, "tensor_fp16_flop", 0);
  for (std::size_t launch = 0; launch < session.launches.size(); ++launch) {
    set_quantity(session, launch, "fp32_flop", launch == softmax_launch ? 5e8 : 0);
  }
  add_samples(session, scores_launch, {100, 50, 150, 500, 100, 100});
  add_samples(session, softmax_launch, {100, 50, 50, 750, 50, 0});
  add_samples(session, output_launch, {100, 50, 150, 500, 100, 100});
  add_samples(session, fused_launch, {350, 150, 200, 20, 30, 250});
  session.attention = workload();
  return session;
}

void set_quantity(Session& session, std::size_t launch, const std::string& quantity, double value) {
  const QuantityDefinition& wanted = definition(quantity);
  double rest = 0;
  for (std::size_t i = 1; i < wanted.terms.size(); ++i) {
    double& counter =
        session.counters.column(wanted.terms[i].counter, session.launches.size())[launch];
    counter = std::isnan(counter) ? 0 : counter;
    rest += wanted.terms[i].scale * counter;
  }
  const CounterTerm& first = wanted.terms.front();
  session.counters.column(first.counter, session.launches.size())[launch] =
      (value - rest) / first.scale;
}

void clear_quantity(Session& session, std::size_t launch, const std::string& quantity) {
  for (const CounterTerm& term : definition(quantity).terms) {
    session.counters.column(term.counter, session.launches.size())[launch] = not_measured;
  }
}

}  // namespace ridgepoint::testing
