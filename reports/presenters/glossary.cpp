#include "reports/presenters/glossary.h"

namespace ridgepoint {

const std::vector<GlossaryEntry>& glossary() {
  static const std::vector<GlossaryEntry> entries = {
      {"Arithmetic intensity", "FLOP / bytes moved through one memory level."},
      {"Bound by",
       "The roof that limits a kernel: the bandwidth of a memory level, or compute. Latency when "
       "it stays far below every roof."},
      {"Ceiling",
       "The most a device can do at one memory level or precision: theoretical, from clocks and "
       "widths, or measured by a micro-benchmark on the device itself."},
      {"FLOP", "Floating-point operations; a fused multiply-add counts 2."},
      {"HBM bytes", "DRAM read + DRAM write."},
      {"Headroom", "Attainable at the roof that binds / achieved."},
      {"L2 bytes",
       "All traffic of the L2 cache, in both directions. Requests of several SMs for one line that "
       "were answered with one look-up count for each SM, where both ends were counted."},
      {"Memory stall ratio",
       "Share of the samples in which a warp waits for memory: long scoreboard, short scoreboard, "
       "LG throttle, MIO throttle, TEX throttle or drain."},
      {"Occupancy", "Active warps / warps that an SM can hold."},
      {"P50, P90, P99", "The latency that 50, 90 or 99 percent of the timed repeats stay within."},
      {"Predicted bytes",
       "From the IO model of the variant: problem size, tile sizes, element size and cache size. "
       "Fused attention moves on the order of N² d² / M bytes through HBM, M being the on-chip "
       "memory (Dao et al., 2022)."},
      {"Ridge point",
       "The intensity at which a bandwidth roof meets a compute roof. Left of it a kernel is "
       "limited "
       "by bandwidth, right of it by compute."},
      {"Shared-memory bytes",
       "Wavefronts x 128 byte: the bandwidth used. Bytes asked for / bytes used is the "
       "efficiency."},
      {"Time share",
       "A kernel's part of the time of all kernels that were measured, those of alternative "
       "variants "
       "included."},
      {"Utilisation",
       "Achieved / theoretical ceiling, over the profiled time of the kernel and at the clocks "
       "measured in it: clocks below the highest ones lower the ceiling too. L2 has two limits, "
       "its "
       "look-ups and its ports to the SMs; the nearer counts."},
      {"Wave", "As many blocks as fit on the device at once."},
  };
  return entries;
}

}  // namespace ridgepoint
