// Runs one compiled kernel on a problem: tensor maps, tile counts, grid.
#pragma once

#include "kernels/attention/hopper/arguments.h"
#include "kernels/attention/variant.h"

namespace ridgepoint::kernels::hopper {

// How query tiles reach the persistent thread blocks: in turn, or from a counter (4 bytes of
// workspace, zeroed here).
enum class Schedule { in_turn, counter };

cudaError_t launch(const Instance& instance, const AttentionProblem& problem,
                   const AttentionTensors& tensors, Schedule schedule, cudaStream_t stream);

}  // namespace ridgepoint::kernels::hopper
