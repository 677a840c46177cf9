// The counters against a kernel whose traffic is known without measuring.
#include <gtest/gtest.h>

#include "analyzer/metrics/counter_map.h"
#include "collector/attention/profiling_tools.h"
#include "collector/cuda/device.h"
#include "collector/cuda/handles.h"
#include "collector/cupti/chip_name.h"
#include "collector/cupti/cupti_library.h"
#include "tests/collector/cuda/copy.h"

namespace ridgepoint::collector {
namespace {

TEST(TrafficGpu, HbmBytesOfACopyAreWithinTwoPercentOfTheTruth) {
  if (const Status selected = select_device(0); !selected) {
    GTEST_SKIP() << format_error(selected.error());
  }
  // The end of the copy stays in L2 as dirty lines; the buffer must dwarf it.
  constexpr std::size_t bytes = std::size_t{4} << 30U;
  std::size_t available = 0;
  std::size_t total = 0;
  ASSERT_EQ(cudaMemGetInfo(&available, &total), cudaSuccess);
  if (available < 2 * bytes + (std::size_t{1} << 30U)) {
    GTEST_SKIP() << "needs 9 GiB of free GPU memory";
  }
  const auto api = load_cupti(cupti_candidates());
  ASSERT_TRUE(api) << format_error(api.error());
  const auto chip = chip_name(**api, 0);
  ASSERT_TRUE(chip) << format_error(chip.error());
  Missing missing;
  const auto tools = prepare_counters(**api, *chip, "lite", missing);
  ASSERT_TRUE(tools) << format_error(tools.error());

  const auto from = allocate_device(bytes, "the source");
  const auto to = allocate_device(bytes, "the target");
  const auto stream = create_stream();
  ASSERT_TRUE(from && to && stream);
  ASSERT_EQ(cudaMemset(from->get(), 1, bytes), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);

  auto profiler =
      RangeProfiler::enable(**api, *current_context(), tools->host, tools->plan, Replay::user);
  ASSERT_TRUE(profiler) << format_error(profiler.error());
  ASSERT_TRUE(profiler->begin(1));
  for (bool all = false; !all;) {
    ASSERT_TRUE(profiler->start());
    ASSERT_EQ(test::launch_copy(from->get(), to->get(), bytes, stream->get()), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream->get()), cudaSuccess);
    const auto stopped = profiler->stop();
    ASSERT_TRUE(stopped) << format_error(stopped.error());
    all = *stopped;
  }
  const auto values = profiler->finish();
  ASSERT_TRUE(values) << format_error(values.error());
  ASSERT_EQ(values->size(), 1U);

  CounterTable table;
  for (std::size_t c = 0; c < tools->plan.counters.size(); ++c) {
    table.column(tools->plan.counters[c], 1)[0] = (*values)[0][c];
  }
  const auto map = load_counter_map(*chip);
  ASSERT_TRUE(map);
  for (const char* id : {"hbm_read_bytes", "hbm_write_bytes"}) {
    const QuantityDefinition* quantity = map->find(id);
    if (quantity == nullptr) {
      GTEST_SKIP() << *chip << " has no counter for " << id;
    }
    const auto measured = evaluate(*quantity, table, 0);
    ASSERT_TRUE(measured) << id;
    EXPECT_NEAR(*measured / static_cast<double>(bytes), 1.0, 0.02) << id;
  }
}

}  // namespace
}  // namespace ridgepoint::collector
