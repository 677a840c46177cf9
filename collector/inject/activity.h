// CUPTI's activity records of this process, handed on to a recorder.
#pragma once

#include "analyzer/core/error.h"

namespace ridgepoint::collector {

struct CuptiApi;
class Recorder;

// The records go to `recorder`, which must live until the process ends, stamped with
// wall_clock_ns(). Copies and fills too when `memory_operations`.
Status start_activity(const CuptiApi& api, Recorder& recorder, bool memory_operations);
// Hands on the records that are complete; with `all` also those in buffers still in use.
void flush_activity(const CuptiApi& api, bool all);
// Those CUPTI had no room for, as it says itself.
std::size_t dropped_activity();
// Kernels that CUDA graphs launched, which no launch callback announces.
std::size_t graph_kernels();

}  // namespace ridgepoint::collector
