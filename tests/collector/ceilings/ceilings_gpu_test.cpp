// The micro-benchmarks on the GPU of this machine: what they say they do is what the hardware
// counts, and none of them beats theory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "analyzer/analysis/analyse.h"
#include "analyzer/metrics/counter_map.h"
#include "analyzer/roofline/measured_ceilings.h"
#include "collector/ceilings/measure.h"
#include "collector/cuda/device.h"
#include "collector/cuda/handles.h"
#include "collector/cupti/chip_name.h"
#include "collector/cupti/cupti_library.h"
#include "collector/cupti/range_profiler.h"
#include "kernels/ceilings/probes.h"

namespace ridgepoint::collector {
namespace {

using kernels::ceilings::BlockClock;
using kernels::ceilings::Probe;
using kernels::ceilings::ProbeDevice;
using kernels::ceilings::ProbeShape;

struct CeilingsGpu : ::testing::Test {
  void SetUp() override {
    if (const Status selected = select_device(0); !selected) {
      GTEST_SKIP() << format_error(selected.error());
    }
    device = describe_device(0).value();
  }
  std::vector<const Probe*> tensor_probes() const {
    std::vector<const Probe*> found;
    const int capability = 10 * device.compute_capability_major + device.compute_capability_minor;
    for (const Probe* probe : kernels::ceilings::probes()) {
      if (std::strncmp(probe->ceiling, "tensor_", 7) == 0 && runs_on(*probe, capability)) {
        found.push_back(probe);
      }
    }
    return found;
  }
  DeviceInfo device;
};

std::string quantity_of(const Probe& probe) {
  const std::string ceiling = probe.ceiling;
  return ceiling + (ceiling == "tensor_int8" ? "_op" : "_flop");
}

// A product of M x N x K is 2 M N K FLOP, by definition: what a probe claims is exactly that.
TEST_F(CeilingsGpu, TheHardwareCountsTwoMNKOfEveryProduct) {
  constexpr int iterations = 100;
  const auto api = load_cupti(cupti_candidates());
  ASSERT_TRUE(api) << format_error(api.error());
  const auto chip = chip_name(**api, 0);
  ASSERT_TRUE(chip) << format_error(chip.error());
  const auto map = load_counter_map(*chip);
  ASSERT_TRUE(map) << format_error(map.error());
  const std::vector<const Probe*> probes = tensor_probes();
  ASSERT_FALSE(probes.empty());

  std::vector<std::string> counters;
  for (const Probe* probe : probes) {
    const QuantityDefinition* quantity = map->find(quantity_of(*probe));
    ASSERT_NE(quantity, nullptr) << quantity_of(*probe);
    for (const CounterTerm& term : quantity->terms) {
      if (std::find(counters.begin(), counters.end(), term.counter) == counters.end()) {
        counters.push_back(term.counter);
      }
    }
  }
  auto host = ProfilerHost::create(**api, *chip);
  ASSERT_TRUE(host) << format_error(host.error());
  const auto plan = host->add(counters).and_then([&] { return host->plan(counters); });
  ASSERT_TRUE(plan) << format_error(plan.error());
  auto profiler = RangeProfiler::enable(**api, *current_context(), *host, *plan, Replay::user);
  ASSERT_TRUE(profiler) << format_error(profiler.error());
  const auto clocks = allocate_device(std::size_t{1} << 20U, "the clocks");
  ASSERT_TRUE(clocks);

  ASSERT_TRUE(profiler->begin(probes.size()));
  const ProbeDevice probed = {static_cast<int>(device.sm_count), 0, 0};
  for (bool all = false; !all;) {
    ASSERT_TRUE(profiler->start());
    for (const Probe* probe : probes) {
      ASSERT_EQ(
          probe->launch(probe->shape(probed),
                        {nullptr, static_cast<BlockClock*>(clocks->get()), iterations, nullptr}),
          cudaSuccess);
    }
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    const auto stopped = profiler->stop();
    ASSERT_TRUE(stopped) << format_error(stopped.error());
    all = *stopped;
  }
  const auto values = profiler->finish();
  ASSERT_TRUE(values) << format_error(values.error());
  ASSERT_EQ(values->size(), probes.size());
  CounterTable table;
  for (std::size_t c = 0; c < counters.size(); ++c) {
    std::vector<double>& column = table.column(counters[c], probes.size());
    for (std::size_t p = 0; p < probes.size(); ++p) {
      column[p] = (*values)[p][c];
    }
  }
  for (std::size_t p = 0; p < probes.size(); ++p) {
    const auto counted = evaluate(*map->find(quantity_of(*probes[p])), table, p);
    ASSERT_TRUE(counted);
    const double claimed = probes[p]->shape(probed).work_per_iteration * iterations;
    EXPECT_NEAR(*counted / claimed, 1.0, 0.001)
        << probes[p]->ceiling << " by " << probes[p]->method;
    std::printf("%-12s %-8s claimed %.6g counted %.6g\n", probes[p]->ceiling, probes[p]->method,
                claimed, *counted);
  }
}

TEST_F(CeilingsGpu, NoneBeatsTheoryAndEachIsSteadyAndHasItsPower) {
  const auto outcome = measure_ceilings({0, false, ""}, {});
  ASSERT_TRUE(outcome) << format_error(outcome.error());
  const auto analysis = analyse(outcome->session);
  ASSERT_TRUE(analysis) << format_error(analysis.error());
  for (const Issue& issue : implausible_ceilings(*analysis)) {
    ADD_FAILURE() << issue.text;
  }
  const auto all = ceiling_measurements(*analysis);
  const bool watched = outcome->session.issues.empty();
  EXPECT_GE(all.size(), 15U) << "memory, CUDA cores and mma.sync run on every supported GPU";
  for (const CeilingMeasurement& one : all) {
    EXPECT_LT(one.measured->ci95_half, 0.05 * one.measured->value) << one.measured->name;
    EXPECT_GT(one.measured->sm_clock_hz, 0.1 * device.sm_clock_max_hz) << one.measured->name;
    EXPECT_LT(one.measured->sm_clock_hz, 1.02 * device.sm_clock_max_hz) << one.measured->name;
    if (watched) {
      EXPECT_GT(one.measured->power_w.value_or(0), 50) << one.measured->name;
      EXPECT_LT(one.measured->power_w.value_or(0), 1500) << one.measured->name;
    }
  }
}

}  // namespace
}  // namespace ridgepoint::collector
