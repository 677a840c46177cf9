// CUPTI's activity records of this process, handed on to a recorder.
#pragma once

#include <optional>

#include "analyzer/core/error.h"

namespace ridgepoint::collector {

struct CuptiApi;
class Recorder;

struct ActivityKinds {
  bool memory_operations = false;
  bool whole_graphs = false;  // one record a CUDA graph, none of what is in it
};

// The records go to `recorder`, which must live until the process ends, on the clock of
// wall_clock_ns().
Status start_activity(const CuptiApi& api, Recorder& recorder, ActivityKinds kinds);
// Records of kernels, on at first. Takes 9 us, off 2 us (H200, CUDA 13.0).
bool record_kernels(const CuptiApi& api, bool on);
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
