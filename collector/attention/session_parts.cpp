#include "collector/attention/session_parts.h"

#include <fmt/format.h>
#include <sys/types.h>
#include <unistd.h>

#include "analyzer/core/text.h"

namespace ridgepoint::collector {
namespace {

KernelInfo kernel_of(const KernelRecord& record) {
  KernelInfo kernel;
  kernel.mangled = record.mangled;
  kernel.name = demangle(record.mangled);
  kernel.registers_per_thread = record.registers_per_thread;
  kernel.static_smem_bytes = record.static_smem_bytes;
  kernel.local_bytes_per_thread = record.local_bytes_per_thread;
  return kernel;
}

void add_samples(const std::map<std::string, std::uint32_t>& kernel_by_mangled,
                 const PcSamples& samples, Session& part) {
  part.stall_reasons = samples.reasons;
  std::uint64_t elsewhere = samples.outside;
  for (const PcRecord& record : samples.records) {
    const auto kernel = kernel_by_mangled.find(record.function);
    if (kernel == kernel_by_mangled.end()) {
      elsewhere += record.samples;
      continue;
    }
    part.kernels[kernel->second].cubin_hash = fmt::format("{:016x}", record.cubin_crc);
    part.pc_samples.push_back({kernel->second, record.pc_offset, record.reason, record.samples,
                               record.samples_not_issued, 0});
  }
  const auto issue = [&](const char* code, std::string text) {
    part.issues.push_back({code, std::move(text)});
  };
  if (elsewhere != 0) {
    issue("stalls.elsewhere",
          fmt::format("{} of {} PC samples fell into code that is no kernel of the variants",
                      elsewhere, samples.total));
  }
  if (samples.dropped != 0) {
    issue("stalls.dropped",
          fmt::format("the GPU dropped {} of {} PC samples", samples.dropped, samples.total));
  }
  if (samples.hardware_buffer_full) {
    issue("stalls.buffer_full", "the GPU's sample buffer was full: samples are missing");
  }
}

}  // namespace

Session SessionTables::kernels_and_samples(const std::vector<MeasuredVariant>& variants,
                                           const std::vector<VariantTimeline>& timelines,
                                           const PcSamples& samples) {
  Session part;
  for (std::size_t v = 0; v < timelines.size(); ++v) {
    for (const KernelRecord& record : timelines[v].launches) {
      const auto index = static_cast<std::uint32_t>(part.kernels.size());
      if (kernel_by_mangled_.emplace(record.mangled, index).second) {
        part.kernels.push_back(kernel_of(record));
      }
    }
    NvtxRange range;
    range.name = variants[v].name();
    range.domain = "ridgepoint";
    range.thread = static_cast<std::uint64_t>(gettid());
    range.start_ns = timelines[v].start_ns;
    range.end_ns = timelines[v].end_ns;
    part.ranges.push_back(std::move(range));
  }
  add_samples(kernel_by_mangled_, samples, part);
  return part;
}

Session SessionTables::launches(const VariantTimeline& timeline, std::size_t range,
                                const std::vector<std::string>& counters, const RangeValues& values,
                                std::vector<std::uint32_t>& launches) {
  Session part;
  for (const KernelRecord& record : timeline.launches) {
    Launch launch;
    launch.kernel = kernel_by_mangled_.at(record.mangled);
    launch.stream = record.stream;
    launch.grid = record.grid;
    launch.block = record.block;
    launch.cluster = record.cluster;
    launch.dynamic_smem_bytes = record.dynamic_smem_bytes;
    launch.range = static_cast<std::int64_t>(range);
    launch.start_ns = record.start_ns;
    launch.end_ns = record.end_ns;
    part.launches.push_back(launch);
    launches.push_back(launch_count_++);
  }
  if (!values.empty()) {
    for (std::size_t c = 0; c < counters.size(); ++c) {
      std::vector<double>& column = part.counters.column(counters[c], part.launches.size());
      for (std::size_t row = 0; row < part.launches.size() && row < values.size(); ++row) {
        column[row] = values[row][c];
      }
    }
  }
  return part;
}

std::vector<KernelTileInfo> tile_infos(const MeasuredVariant& variant,
                                       const kernels::AttentionProblem& problem) {
  std::vector<KernelTileInfo> infos;
  for (const kernels::KernelTile& tile : variant.tiles(problem)) {
    infos.push_back({tile.role, tile.block_m, tile.block_n, tile.block_k, tile.stages, tile.threads,
                     static_cast<std::int64_t>(tile.smem_bytes)});
  }
  return infos;
}

}  // namespace ridgepoint::collector
