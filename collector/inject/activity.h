// CUPTI's activity records of this process, handed on to a recorder.
#pragma once

#include <optional>

#include "analyzer/core/error.h"

namespace ridgepoint::collector {

struct CuptiApi;
class GridNumbers;
class Recorder;

// The records go to `recorder`, which must live until the process ends, on the clock of
// wall_clock_ns(). Kernels are recorded at once, copies and fills when asked for.
Status start_activity(const CuptiApi& api, Recorder& recorder, bool memory_operations);
// Each false when CUPTI refuses. Of kernels it takes 9 us, off 2 us (H200, CUDA 13.0).
bool record_kernels(const CuptiApi& api, bool on);
bool record_copies(const CuptiApi& api, bool on);  // and fills
// One record a CUDA graph, none of what is in it.
bool record_whole_graphs(const CuptiApi& api, bool on);
// Gets the numbers of kernels launched one by one, from now on; as long as the recorder.
void number_grids(GridNumbers* numbers);
// Hands on the records that are complete; with `all` also those in buffers still in use.
void flush_activity(const CuptiApi& api, bool all);
// Those CUPTI had no room for, as it says itself.
std::size_t dropped_activity();
// Kernels that CUDA graphs launched, which no launch callback announces.
std::size_t graph_kernels();
// Launches of CUDA graphs that records have told of; empty when they were too many to be told
// apart.
std::optional<std::size_t> graph_launches();

}  // namespace ridgepoint::collector
