#include "bench/scale/grown_session.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <random>

#include "analyzer/core/data_path.h"
#include "analyzer/session/session_file.h"

namespace ridgepoint::bench {
namespace {

constexpr std::array<const char*, 10> kept_counters = {
    "gpu__time_duration.sum",
    "dram__bytes_read.sum",
    "dram__bytes_write.sum",
    "lts__t_bytes.sum",
    "sm__ops_path_tensor_op_hmma_src_fp16_dst_fp32.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "sm__cycles_elapsed.avg.per_second",
    "sm__warps_active.avg.pct_of_peak_sustained_active",
    "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "lts__t_sector_hit_rate.pct"};

// Launches of a kernel differ by a few percent; whole counts stay whole.
double jittered(double value, double factor) {
  return std::floor(value) == value ? std::floor(value * factor) : value * factor;
}

void keep_ten_counters(Session& session) {
  CounterTable kept;
  for (const char* name : kept_counters) {
    kept.column(name, session.launches.size()) =
        session.counters.column(name, session.launches.size());
  }
  session.counters = std::move(kept);
}

void grow_kernels(Session& session, std::size_t count) {
  const std::size_t recorded = session.kernels.size();
  for (std::size_t i = recorded; i < count; ++i) {
    KernelInfo kernel = session.kernels[i % recorded];
    kernel.name += fmt::format(" [instance {}]", i);
    kernel.mangled += fmt::format("_{}", i);
    session.kernels.push_back(std::move(kernel));
  }
}

void grow_launches(Session& session, std::size_t count) {
  const std::size_t recorded = session.launches.size();
  std::mt19937_64 random(20261129);
  std::uniform_real_distribution<double> jitter(0.97, 1.03);
  std::int64_t clock_ns = session.launches.back().end_ns;
  session.launches.reserve(count);
  for (std::size_t i = recorded; i < count; ++i) {
    const std::size_t like = i % recorded;
    Launch launch = session.launches[like];
    launch.kernel = static_cast<std::uint32_t>(
        (like + recorded * (random() % session.kernels.size())) % session.kernels.size());
    launch.range = no_index;
    const auto length = static_cast<double>(launch.end_ns - launch.start_ns);
    launch.start_ns = clock_ns + static_cast<std::int64_t>(random() % 5000);
    launch.end_ns = clock_ns = launch.start_ns + static_cast<std::int64_t>(length * jitter(random));
    session.launches.push_back(launch);
  }
  for (std::vector<double>& column : session.counters.columns) {
    column.reserve(count);
    for (std::size_t i = recorded; i < count; ++i) {
      column.push_back(jittered(column[i % recorded], jitter(random)));
    }
  }
}

}  // namespace

Result<Session> grown_session(const GrownSize& size) {
  return data_directory()
      .and_then([](const std::filesystem::path& data) {
        return read_session(data / "recordings" / "attention-n16384-d64.ridge");
      })
      .map([&](Session session) {
        keep_ten_counters(session);
        grow_kernels(session, size.kernels);
        grow_launches(session, size.launches);
        return session;
      });
}

}  // namespace ridgepoint::bench
