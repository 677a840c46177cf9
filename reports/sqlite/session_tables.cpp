#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "reports/sqlite/tables.h"

namespace ridgepoint::sqlite {
namespace {

// The analysis' kernel that each launch was added up in.
class KernelOfLaunch {
 public:
  KernelOfLaunch(const Session& session, const Analysis& analysis) {
    for (std::size_t k = 0; k < analysis.kernels.size(); ++k) {
      const KernelAnalysis& kernel = analysis.kernels[k];
      kernel_.try_emplace({kernel.session_kernel, kernel.variant}, static_cast<std::int64_t>(k));
    }
    if (session.attention) {
      for (const VariantRun& run : session.attention->variants) {
        for (const std::uint32_t launch : run.launches) {
          variant_[launch] = run.name;
        }
      }
    }
  }

  std::optional<std::int64_t> of(std::size_t launch, const Launch& one) const {
    const auto variant = variant_.find(launch);
    const auto found =
        kernel_.find({one.kernel, variant == variant_.end() ? std::string() : variant->second});
    return found == kernel_.end() ? std::nullopt : std::optional<std::int64_t>(found->second);
  }

 private:
  std::map<std::pair<std::size_t, std::string>, std::int64_t> kernel_;
  std::map<std::size_t, std::string> variant_;
};

std::optional<std::int64_t> index_or_null(std::int64_t index) {
  return index == no_index ? std::nullopt : std::optional<std::int64_t>(index);
}

std::optional<std::int64_t> time_or_null(std::int64_t time_ns) {
  return time_ns > 0 ? std::optional<std::int64_t>(time_ns) : std::nullopt;
}

void write_launches(Database& database, const Session& session, const Analysis& analysis) {
  const KernelOfLaunch kernel(session, analysis);
  Insert row(database, "launches", 17);
  for (std::size_t i = 0; i < session.launches.size(); ++i) {
    const Launch& one = session.launches[i];
    row.integer(static_cast<std::int64_t>(i)).integer(kernel.of(i, one));
    row.integer(one.device).integer(one.stream);
    for (const Dim3& size : {one.grid, one.block, one.cluster}) {
      row.integer(size.x).integer(size.y).integer(size.z);
    }
    row.integer(one.dynamic_smem_bytes).integer(index_or_null(one.range));
    row.integer(time_or_null(one.start_ns)).integer(time_or_null(one.end_ns)).add();
  }
}

void write_counters(Database& database, const Session& session) {
  const CounterTable& counters = session.counters;
  Insert name(database, "counter_names", 2);
  for (std::size_t c = 0; c < counters.names.size(); ++c) {
    name.integer(static_cast<std::int64_t>(c)).text(counters.names[c]).add();
  }
  // In the order of the primary key, so that the tree grows at its end.
  Insert row(database, "counters", 3);
  for (std::size_t i = 0; i < session.launches.size(); ++i) {
    for (std::size_t c = 0; c < counters.columns.size(); ++c) {
      if (const double value = counters.columns[c][i]; std::isfinite(value)) {
        row.integer(static_cast<std::int64_t>(i)).integer(static_cast<std::int64_t>(c));
        row.real(value).add();
      }
    }
  }
}

void write_timeline(Database& database, const Session& session) {
  Insert range(database, "ranges", 7);
  for (std::size_t i = 0; i < session.ranges.size(); ++i) {
    const NvtxRange& one = session.ranges[i];
    range.integer(static_cast<std::int64_t>(i)).text(one.name).text(one.domain);
    range.integer(static_cast<std::int64_t>(one.thread)).integer(time_or_null(one.start_ns));
    range.integer(time_or_null(one.end_ns)).integer(index_or_null(one.parent)).add();
  }
  Insert copy(database, "memory_operations", 7);
  for (std::size_t i = 0; i < session.memory_operations.size(); ++i) {
    const MemoryOperation& one = session.memory_operations[i];
    copy.integer(static_cast<std::int64_t>(i)).text(one.kind).integer(one.device);
    copy.integer(one.stream).integer(static_cast<std::int64_t>(one.bytes));
    copy.integer(time_or_null(one.start_ns)).integer(time_or_null(one.end_ns)).add();
  }
}

}  // namespace

void write_session_tables(Database& database, const Session& session, const Analysis& analysis) {
  write_launches(database, session, analysis);
  write_counters(database, session);
  write_timeline(database, session);
}

}  // namespace ridgepoint::sqlite
