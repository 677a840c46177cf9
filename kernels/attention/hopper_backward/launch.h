// Runs the three kernels of an instance on a problem: tensor maps, workspace, order.
#pragma once

#include "kernels/attention/backward_variant.h"
#include "kernels/attention/hopper_backward/arguments.h"

namespace ridgepoint::kernels::hopper_backward {

// How the pieces of dQ from different key blocks are added: as they come, or in ascending order.
enum class Additions { as_they_come, in_order };

cudaError_t launch(const Instance& instance, const AttentionProblem& problem,
                   const AttentionGradients& tensors, Additions additions, cudaStream_t stream);

}  // namespace ridgepoint::kernels::hopper_backward
