// Attention on a GPU that is not at hand: bytes at each level by the IO model, FLOP, intensity,
// occupancy, and the least time that the roofs allow, for each variant. The result is an ordinary
// Analysis with Source::predicted, so that every report shows it; nothing in it was measured, and
// its times are bounds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/analysis/analysis.h"
#include "analyzer/attention/io_model.h"
#include "analyzer/core/error.h"
#include "analyzer/predict/gpu.h"

namespace ridgepoint {

struct PredictionRequest {
  AttentionShape shape;
  // Names of planned_variants(); empty: all that the GPU can run. A named one that it cannot run is
  // an error.
  std::vector<std::string> variants;
  std::optional<double> price_per_hour;
};

Result<Analysis> predict(const PredictionRequest& request, const GpuDescription& gpu);

// What the models must know of the GPU.
IoMachine io_machine(const GpuDescription& gpu);
std::vector<Ceiling> ceilings_of(const GpuDescription& gpu);

}  // namespace ridgepoint
