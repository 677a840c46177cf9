// Turns what the phases measured into tables of the session.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analyzer/session/session.h"
#include "collector/attention/phases.h"

namespace ridgepoint::collector {

// Kernels, launches and samples under the indices they have in the session. Kernels are told apart
// by their mangled name.
class SessionTables {
 public:
  // Kernels and NVTX ranges of all timelines, and the samples that fell into these kernels.
  // Samples of other kernels (of the driver, of the cache clearing) are left out and counted in an
  // issue.
  Session kernels_and_samples(const std::vector<MeasuredVariant>& variants,
                              const std::vector<VariantTimeline>& timelines,
                              const PcSamples& samples);

  // The launches of one variant with their counters (`values` empty: none were taken). Call in the
  // order of the timelines; `launches` receives their indices in the session.
  Session launches(const VariantTimeline& timeline, std::size_t range,
                   const std::vector<std::string>& counters, const RangeValues& values,
                   std::vector<std::uint32_t>& launches);

 private:
  std::map<std::string, std::uint32_t> kernel_by_mangled_;
  std::uint32_t launch_count_ = 0;
};

std::vector<KernelTileInfo> tile_infos(const MeasuredVariant& variant,
                                       const kernels::AttentionProblem& problem);

}  // namespace ridgepoint::collector
