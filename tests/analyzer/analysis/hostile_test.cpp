// Numbers that no GPU gives: a session read from a file may hold any of them.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "analyzer/analysis/analyse.h"
#include "tests/support/sample_session.h"

namespace ridgepoint {
namespace {

double any_number() {
  return *rc::gen::element(0.0, -1.0, 1.0, 1e300, -1e300, 5e-324,
                           std::numeric_limits<double>::infinity(), not_measured);
}

std::int64_t any_size() {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  return *rc::gen::element<std::int64_t>(0, 1, -1, 32, 4096, std::int64_t{1} << 40, most, least);
}

RC_GTEST_PROP(HostileSession, IsAnalysedWithoutHarmWhateverItsNumbers, ()) {
  Session session = testing::sample_session();
  const auto launches = session.launches.size();
  for (auto& column : session.counters.columns) {
    column[*rc::gen::inRange<std::size_t>(0, launches)] = any_number();
  }
  DeviceInfo& device = session.devices[0];
  for (std::int64_t* limit :
       {&device.sm_count, &device.l2_bytes, &device.smem_per_sm_bytes, &device.smem_per_block_bytes,
        &device.smem_reserved_per_block_bytes, &device.registers_per_sm, &device.warps_per_sm,
        &device.blocks_per_sm}) {
    *limit = *rc::gen::arbitrary<bool>() ? any_size() : *limit;
  }
  device.sm_clock_max_hz = any_number();
  KernelInfo& kernel = session.kernels[*rc::gen::inRange<std::size_t>(0, session.kernels.size())];
  kernel.registers_per_thread = any_size();
  kernel.static_smem_bytes = any_size();
  session.launches[0].dynamic_smem_bytes = any_size();
  session.launches[0].start_ns = any_size();
  session.launches[0].end_ns = any_size();
  session.pc_samples[0].samples = std::numeric_limits<std::uint64_t>::max();
  AttentionShape& shape = session.attention->shape;
  for (std::int64_t* size : {&shape.batch, &shape.heads, &shape.kv_heads, &shape.seqlen_q,
                             &shape.seqlen_k, &shape.head_dim}) {
    *size = *rc::gen::arbitrary<bool>() ? any_size() : *size;
  }
  shape.causal = *rc::gen::arbitrary<bool>();
  KernelTileInfo& tile = session.attention->variants[1].tiles[0];
  tile.block_m = any_size();
  tile.block_n = any_size();
  tile.stages = any_size();
  session.attention->variants[0].latency_s = {any_number(), any_number()};
  RC_ASSERT(analyse(session).has_value());
}

}  // namespace
}  // namespace ridgepoint
