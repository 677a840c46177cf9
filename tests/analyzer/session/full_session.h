// An invented session in which every field of every section is set, to see that none is lost on the
// way.
#pragma once

#include "analyzer/session/session.h"

namespace ridgepoint::test {

inline Session full_session() {
  Session s;
  s.producer = {"0.1.0", "2026-11-29T12:00:00Z", "ridgepoint attention --seqlen 64", "attention",
                "box"};
  DeviceInfo d;
  d.name = "NVIDIA H200";
  d.chip = "GH100";
  d.compute_capability_major = 9;
  d.sm_count = 132;
  d.l2_bytes = 62914560;
  d.sm_clock_max_hz = 1.98e9;
  d.memory_bytes = 150000000000;
  d.driver_version = "13.0";
  d.measured_ceilings.push_back({"hbm", 4.3e12, 1e10, 1.9e9, 600.0});
  d.pci_bus_id = "00000000:19:00.0";
  s.devices.push_back(d);
  s.policy.power_sampling_period_s = 0.01;
  s.policy.counter_profile = "default";
  s.policy.replay_mode = "user";
  s.policy.passes = 9;
  s.policy.filters = {"kernel=fused"};
  s.policy.run_s = 5;
  s.policy.measuring_s = 4.6;
  s.policy.overhead_factor = 12.5;
  s.kernels.push_back({"ns::k(int)", "_ZN2ns1kEi", 168, 1024, 0, "c0ffee"});
  s.kernels.push_back({"plain", "plain", std::nullopt, std::nullopt, std::nullopt, ""});
  Launch launch;
  launch.grid = {128, 8, 1};
  launch.block = {256, 1, 1};
  launch.dynamic_smem_bytes = 98304;
  launch.range = 1;
  launch.start_ns = 1764417600000000000;
  launch.end_ns = 1764417600000123456;
  s.launches = {launch, launch};
  s.launches[1].kernel = 1;
  s.counters.column("dram__bytes_read.sum", 2) = {1.5e9, not_measured};
  s.stall_reasons = {"long_scoreboard", "selected"};
  s.pc_samples = {{0, 0x1f0, 0, 900, 880}, {1, 0, 1, 12, 0}};
  s.ranges = {{"run", "ridgepoint", 77, 1, 9, no_index}, {"counters", "ridgepoint", 77, 2, 8, 0}};
  s.power = {{5, 0, 512.5, 1000.25, std::nullopt, 2.6e9, 41.0, 4}};
  s.power_phases = {{"energy", "fused", 0,    1, 9,     7,     12,    11, 600.5, 1.25,
                     480.0,    512.5,   44.0, 8, 1.7e9, 1.8e9, 1.9e9, 3,  1,     0x44}};
  s.pm_series = {{"fused",
                  no_index,
                  0,
                  0,
                  1e-5,
                  true,
                  {0, 1e-5},
                  {1e-5, 2e-5},
                  {"sm__cycles_active.avg"},
                  {{7, not_measured}}},
                 {"", 1, 3, 0, 2e-5, false, {0}, {2e-5}, {"sm__cycles_active.avg"}, {{9}}}};
  AttentionWorkload w;
  w.shape = {1, 8, 8, 64, 64, 64, "fp16", true, 0.125, "forward"};
  w.analytic_flop = 1e6;
  w.analytic_bytes = 2e6;
  VariantRun v;
  v.name = "fused";
  v.description = "one kernel";
  v.launches = {1};
  v.tiles = {{"attention", 128, 64, 64, 2, 128, 98304}};
  v.latency_s = {1e-3, 1.1e-3};
  v.correctness = Correctness{"all rows", 512, 512, 1e-4, 2e-4, 1e-6, true, {{"dQ", 3e-4, 4e-4}}};
  v.workspace_bytes = 4096;
  v.saved_bytes = 2048;
  v.products = 4;
  w.variants.push_back(v);
  s.attention = w;
  s.imported_rules = {{0, "Occupancy", "AchievedOccupancy", "OPT", "low", "global", 12.25},
                      {0, "SpeedOfLight", "SOLBottleneck", "INF", "high", "", std::nullopt}};
  s.issues = {{"counters.refused", "no"}};
  return s;
}

}  // namespace ridgepoint::test
