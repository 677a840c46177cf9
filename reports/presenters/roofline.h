// The hierarchical roofline as a description of a chart (Williams et al., CACM 52(4), 2009): what
// the SVG, the HTML report and the window draw. Toolkit-free; both axes are logarithmic.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/analysis/analysis.h"

namespace ridgepoint {

struct RooflineTick {
  double value = 0;
  std::string label;  // "10", "1 T"
};

struct RooflineAxis {
  std::string title;  // with the unit
  double minimum = 1;
  double maximum = 10;
  std::vector<RooflineTick> ticks;      // decades within the range
  double fraction(double value) const;  // 0 at minimum, 1 at maximum, by logarithm; not clamped
};

// A straight line in log-log space, already cut to the axes.
struct RooflineRoof {
  std::string id;     // of the ceiling: "hbm", "tensor_fp16"
  std::string label;  // "HBM3e 4.80 TB/s"
  CeilingKind kind = CeilingKind::bandwidth;
  bool measured = false;  // drawn dashed: the same ceiling by a micro-benchmark
  double value = 0;       // byte/s or FLOP/s
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

// Where a theoretical bandwidth roof meets a theoretical compute roof.
struct RidgePoint {
  std::string bandwidth_id;
  std::string compute_id;
  double intensity = 0;
  double flop_per_s = 0;
  std::string label;  // "ridge 206 FLOP/B"
};

struct RooflinePoint {
  std::size_t kernel = 0;  // index into Analysis::kernels
  MemoryLevel level = MemoryLevel::hbm;
  double intensity = 0;
  double flop_per_s = 0;
  double time_share = 0;  // of all kernels, for the size of the mark; 0 when unknown
  std::string label;      // the kernel's short name
  std::string variant;
  std::vector<std::string> tooltip;  // lines
};

struct UnplottedKernel {
  std::size_t kernel = 0;
  std::string label;
  std::string reason;  // "no FLOP", "time not measured"
  // "HBM 3.79 TB/s, L2 5.75 TB/s": what such a kernel is judged by; empty when not measured.
  std::string bandwidth;
  std::string line() const;  // "no FLOP; HBM 3.79 TB/s"
};

struct Roofline {
  RooflineAxis x;  // FLOP/byte
  RooflineAxis y;  // FLOP/s
  std::vector<RooflineRoof> roofs;
  std::vector<RidgePoint> ridges;
  std::vector<RooflinePoint> points;       // by kernel, then by level
  std::vector<UnplottedKernel> unplotted;  // listed beside the chart, never drawn at zero
  std::string note;  // why a mark may stand above a roof of its level; empty where none can
};

// Where its kernels stand, in words for who cannot see the chart: the first 14.
std::string roofline_summary(const Roofline& roofline);

// The ridge of HBM with the highest compute roof: left of it kernels of that precision are bound by
// HBM, right of it by compute. Null when the chart has none.
const RidgePoint* dividing_ridge(const Roofline& roofline);

// Compute roofs are those of the precisions that the kernels use; all of them when no kernel has
// FLOP.
Roofline roofline(const Analysis& analysis);

}  // namespace ridgepoint
